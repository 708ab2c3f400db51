// The form of a dog. Editing shows one page; a new dog has two steps, first name and photo, then the other required fields.
import { RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { useUploadDogPhoto } from '#/features/dogs/commands/dog-photo.command.ts';
import { useSaveDog } from '#/features/dogs/commands/save-dog.ts';
import {
  BirthdayField,
  BreedField,
  CharacterFields,
  GenderField,
  NameField,
  TastesFields,
} from '#/features/dogs/components/dog-fields.tsx';
import { type ChosenPhoto, DogPhotoChoice } from '#/features/dogs/components/dog-photo-choice.tsx';
import { type DogDraft, dogInput, EMPTY_DRAFT } from '#/features/dogs/dog.ts';
import { useT } from '#/i18n/i18n.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { newUuid } from '#/core/uuid.ts';
import { Button } from '#/ui/button.tsx';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { formProblems, type FormProblems, useProblem, withoutFields } from '#/ui/form-problems.ts';
import { ignoreSecondClick } from '#/ui/second-click.ts';
import { showError } from '#/ui/toast.ts';
import styles from './dog-form.module.css';

interface DogFormProps {
  ownerId: string;
  /** ID of the dog; null for a new dog. */
  dogId: string | null;
  initial: DogDraft;
  /** Skips adding a dog after signup; null if skipping is not possible. */
  onSkip?: (() => void) | null;
  onSaved: (dogId: string) => void;
}

const STEPS = 2;

export function DogForm({ ownerId, dogId, initial, onSkip = null, onSaved }: DogFormProps) {
  const t = useT();
  const [id] = useState(() => dogId ?? newUuid());
  const form = useDraft<DogDraft, ChosenPhoto>(`dog/${dogId ?? 'new'}`, initial, EMPTY_DRAFT);
  const { draft, photo, setPhoto } = form;
  const [problems, setProblems] = useState<FormProblems>({});
  const errorOf = useProblem(problems);
  const [step, setStep] = useState(1);
  const save = useSaveDog();
  const upload = useUploadDogPhoto();
  const busy = save.isPending || upload.isPending;
  const heading = useRef<HTMLParagraphElement>(null);
  const shownStep = useRef(step);
  const inSteps = dogId === null;
  const isFirst = inSteps && step === 1;
  const isRest = !inSteps || step === STEPS;

  const set = (patch: Partial<DogDraft>) => {
    form.setDraft({ ...draft, ...patch });
    setProblems(withoutFields(problems, patch));
  };
  const fields = { draft, set, errorOf };

  // Move focus to the start of a new step.
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus();
    shownStep.current = step;
  }, [step]);

  const goTo = (next: number) => {
    // The button of the next step has the same position, so ignore the second click of a double click.
    ignoreSecondClick();
    setStep(next);
  };
  const showProblems = (found: FormProblems) => {
    setProblems(found);
    focusFirstProblem();
  };
  const submit = () => {
    const checked = v.safeParse(dogInput, draft);
    const found = checked.success ? {} : formProblems(checked.issues);
    if (isFirst) {
      // Empty fields of the next step do not count as errors yet.
      if (found.name) showProblems({ name: found.name });
      else goTo(STEPS);
      return;
    }
    if (!checked.success) {
      if (found.name) goTo(1);
      showProblems(found);
      return;
    }
    save.mutate(
      { id, ownerId, exists: dogId !== null, values: checked.output },
      {
        onSuccess() {
          form.drop();
          void sendPhoto().then(() => onSaved(id));
        },
        onError: showError,
      },
    );
  };

  /** Only reports a failed upload, because the dog already exists. The photo can be added on the dog's page. */
  async function sendPhoto(): Promise<void> {
    if (!photo?.area) return;
    await upload
      .mutateAsync({ ownerId, dogId: id, file: photo.file, area: photo.area, primary: true })
      .catch(showError);
  }

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
    >
      <DraftNote {...form} />
      {inSteps && (
        <p ref={heading} tabIndex={-1} className="note">
          {t('dogs.form.step', { step, steps: STEPS })}
        </p>
      )}
      {isFirst && (
        <div className={styles.photo}>
          {!photo && <DogDrawing pose="sitting" size={96} />}
          <DogPhotoChoice quiet photo={photo} onChange={setPhoto} />
          {photo && (
            <Button variant="quiet" icon={RotateCcw} onClick={() => setPhoto(null)}>
              {t('dogs.photos.another')}
            </Button>
          )}
        </div>
      )}
      {(isFirst || !inSteps) && (
        <NameField {...fields} first={inSteps} question={onSkip !== null} />
      )}
      {isRest && (
        <>
          <BreedField {...fields} suggestsMixed={inSteps} />
          <GenderField {...fields} />
          <BirthdayField {...fields} />
        </>
      )}
      {!inSteps && (
        <>
          <CharacterFields {...fields} />
          <TastesFields {...fields} />
        </>
      )}
      <div className={styles.buttons}>
        {onSkip && isFirst && (
          <Button variant="secondary" onClick={onSkip}>
            {t('ui.skip')}
          </Button>
        )}
        {inSteps && !isFirst && (
          <Button variant="secondary" onClick={() => goTo(1)}>
            {t('ui.header.back')}
          </Button>
        )}
        <Button type="submit" wide busy={busy}>
          {t(isFirst ? 'dogs.form.next' : 'ui.save')}
        </Button>
      </div>
    </form>
  );
}
