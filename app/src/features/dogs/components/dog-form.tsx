// The form of a dog, in three short steps while it is new and as one page while it is edited; keeps what was typed.
import { useEffect, useMemo, useRef, useState } from 'react';
import * as v from 'valibot';
import { useSaveDog } from '#/features/dogs/api/save-dog.ts';
import {
  dogInput,
  type DogDraft,
  type DogInput,
  ENERGIES,
  GENDERS,
  joinTags,
  SIZES,
  splitTags,
} from '#/features/dogs/dog.ts';
import { type MessageKey, useLanguage, useT } from '#/i18n/i18n.ts';
import { sortedBreeds, useBreedNames } from '#/lib/breeds/breeds.ts';
import { errorText } from '#/lib/errors.ts';
import { useUnsaved } from '#/lib/unsaved.ts';
import { newUuid } from '#/lib/uuid.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Combobox } from '#/ui/combobox.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TagsField } from '#/ui/tags-field.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';
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
  const language = useLanguage();
  const names = useBreedNames();
  const breeds = useMemo(
    () => sortedBreeds(names, language).map(({ key, name }) => ({ value: key, label: name })),
    [names, language],
  );
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

  // A new step is read from its beginning, and Tab goes on from there.
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus();
    shownStep.current = step;
  }, [step]);

  const refuse = (found: Errors) => {
    setErrors(found);
    focusFirstProblem();
  };
  const submit = () => {
    const checked = check(draft);
    const basicsWrong = REQUIRED.some((name) => checked.errors[name]);
    if (inSteps && step < STEPS.length - 1) {
      if (step === 0 && basicsWrong) refuse(checked.errors);
      else setStep(step + 1);
      return;
    }
    if (!checked.values) {
      if (basicsWrong) setStep(0);
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
      {shows('basics') && (
        <>
          <TextField
            label={t('dogs.form.name')}
            value={draft.name}
            maxLength={60}
            error={errorOf('name')}
            onChange={(event) => set({ name: event.target.value })}
          />
          <Combobox
            label={t('dogs.form.breed')}
            options={breeds}
            value={draft.breed}
            placeholder={t('dogs.form.breedPlaceholder')}
            emptyText={t('dogs.form.breedNone')}
            error={errorOf('breed')}
            onChange={(breed) => set({ breed })}
          />
          <ChipGroup
            label={t('dogs.form.gender')}
            options={GENDERS.map((value) => ({ value, label: t(`dogs.gender.${value}`) }))}
            value={draft.gender}
            error={errorOf('gender')}
            onChange={(gender) => set({ gender })}
          />
          <TextField
            label={t('dogs.form.birthday')}
            type="date"
            min="1980-01-01"
            max={new Date().toLocaleDateString('en-CA')}
            value={draft.birthday}
            hint={t('dogs.form.birthdayHint')}
            error={errorOf('birthday')}
            onChange={(event) => set({ birthday: event.target.value })}
          />
        </>
      )}
      {shows('character') && (
        <>
          <ChipGroup
            label={t('dogs.form.size')}
            options={SIZES.map((value) => ({ value, label: t(`dogs.size.${value}`) }))}
            value={draft.size}
            onChange={(size) => set({ size })}
          />
          <ChipGroup
            label={t('dogs.form.energy')}
            options={ENERGIES.map((value) => ({ value, label: t(`dogs.energy.${value}`) }))}
            value={draft.energy}
            onChange={(energy) => set({ energy })}
          />
          <ChipGroup
            label={t('dogs.form.possessive')}
            options={[
              { value: 'yes', label: t('dogs.possessive.yes') },
              { value: 'no', label: t('dogs.possessive.no') },
            ]}
            value={draft.possessive === null ? null : draft.possessive ? 'yes' : 'no'}
            onChange={(value) => set({ possessive: value === 'yes' })}
          />
          <TextField
            label={t('dogs.form.temperament')}
            optional
            maxLength={500}
            placeholder={t('dogs.form.temperamentPlaceholder')}
            value={draft.temperament}
            error={errorOf('temperament')}
            onChange={(event) => set({ temperament: event.target.value })}
          />
        </>
      )}
      {shows('tastes') && (
        <>
          <TagsField
            label={t('dogs.form.likes')}
            optional
            hint={t('dogs.form.tagsHint')}
            tags={splitTags(draft.likes)}
            error={errorOf('likes')}
            onChange={(tags) => set({ likes: joinTags(tags) })}
          />
          <TagsField
            label={t('dogs.form.dislikes')}
            optional
            tags={splitTags(draft.dislikes)}
            error={errorOf('dislikes')}
            onChange={(tags) => set({ dislikes: joinTags(tags) })}
          />
          <TextArea
            label={t('dogs.form.description')}
            optional
            maxLength={2000}
            value={draft.description}
            error={errorOf('description')}
            onChange={(event) => set({ description: event.target.value })}
          />
        </>
      )}
      <div className={styles.buttons}>
        {inSteps && step > 0 && (
          <Button variant="secondary" onClick={() => setStep(step - 1)}>
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
