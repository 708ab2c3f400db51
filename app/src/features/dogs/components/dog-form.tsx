// The form of a dog, in three short steps while it is new and as one page while it is edited; keeps what was typed.
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { useSaveDog } from '#/features/dogs/commands/save-dog.ts';
import {
  BasicsFields,
  CharacterFields,
  TastesFields,
} from '#/features/dogs/components/dog-fields.tsx';
import { type DogDraft, dogInput, type DogInput } from '#/features/dogs/dog.ts';
import { type MessageKey, useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { useUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { swallowSecondClick } from '#/ui/second-click.ts';
import { showToast } from '#/ui/toast.ts';
import styles from './dog-form.module.css';

interface DogFormProps {
  ownerId: string;
  /** Null for a new dog. */
  dogId: string | null;
  initial: DogDraft;
  onSaved: (dogId: string) => void;
}

const STEPS = ['basics', 'character', 'tastes'] as const;
const REQUIRED = ['name', 'breed', 'gender', 'birthday'] as const;

type Errors = Partial<Record<keyof DogDraft, MessageKey>>;

/** The first message of each field that is wrong. */
function check(draft: DogDraft): { values: DogInput | null; errors: Errors } {
  const result = v.safeParse(dogInput, draft);
  if (result.success) return { values: result.output, errors: {} };
  const nested = v.flatten<typeof dogInput>(result.issues).nested ?? {};
  return {
    values: null,
    errors: Object.fromEntries(
      Object.entries(nested).map(([name, messages]) => [name, messages[0]]),
    ) as Errors,
  };
}

export function DogForm({ ownerId, dogId, initial, onSaved }: DogFormProps) {
  const t = useT();
  const [id] = useState(() => dogId ?? newUuid());
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<Errors>({});
  const [step, setStep] = useState(0);
  const save = useSaveDog();
  useUnsaved(!save.isSuccess && JSON.stringify(draft) !== JSON.stringify(initial));
  const heading = useRef<HTMLParagraphElement>(null);
  const shownStep = useRef(step);
  const inSteps = dogId === null;
  const shows = (name: (typeof STEPS)[number]) => !inSteps || STEPS[step] === name;

  const set = (patch: Partial<DogDraft>) => {
    setDraft({ ...draft, ...patch });
    setErrors(
      Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in patch))) as Errors,
    );
  };
  const errorOf = (name: keyof DogDraft) => {
    const key = errors[name];
    return key ? t(key) : null;
  };
  const fields = { draft, set, errorOf };

  // A new step is read from its beginning, and Tab goes on from there.
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus();
    shownStep.current = step;
  }, [step]);

  const goTo = (next: number) => {
    // The button of the next step lies where this one's was.
    swallowSecondClick();
    setStep(next);
  };
  const refuse = (found: Errors) => {
    setErrors(found);
    focusFirstProblem();
  };
  const submit = () => {
    const checked = check(draft);
    const basicsWrong = REQUIRED.some((name) => checked.errors[name]);
    if (inSteps && step < STEPS.length - 1) {
      if (step === 0 && basicsWrong) refuse(checked.errors);
      else goTo(step + 1);
      return;
    }
    if (!checked.values) {
      if (basicsWrong) goTo(0);
      refuse(checked.errors);
      return;
    }
    save.mutate(
      { id, ownerId, exists: dogId !== null, values: checked.values },
      {
        onSuccess: onSaved,
        onError: (error) => showToast(errorText(error), { kind: 'error' }),
      },
    );
  };

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) submit();
      }}
    >
      {inSteps && (
        <p ref={heading} tabIndex={-1} className={styles.steps}>
          {t('dogs.form.step', { step: step + 1, steps: STEPS.length })}
        </p>
      )}
      {shows('basics') && <BasicsFields {...fields} />}
      {shows('character') && <CharacterFields {...fields} />}
      {shows('tastes') && <TastesFields {...fields} />}
      <div className={styles.buttons}>
        {inSteps && step > 0 && (
          <Button variant="secondary" onClick={() => goTo(step - 1)}>
            {t('dogs.form.back')}
          </Button>
        )}
        <Button type="submit" wide busy={save.isPending}>
          {inSteps && step < STEPS.length - 1 ? t('dogs.form.next') : t('dogs.form.save')}
        </Button>
      </div>
    </form>
  );
}
