// The fields of a dog in groups: its name, what else it must have, its character, its tastes.
import { useMemo, useState } from 'react';
import { type DogDraft, GENDERS, joinTags, splitTags } from '#/features/dogs/dog.ts';
import { ENERGIES, SIZES } from '#/data/dog-traits.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { sortedBreeds, useBreedNames } from '#/i18n/breeds/breeds.ts';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Combobox } from '#/ui/combobox.tsx';
import { TagsField } from '#/ui/tags-field.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';

interface DogFieldsProps {
  draft: DogDraft;
  /** Gets only what changed. */
  set: (patch: Partial<DogDraft>) => void;
  /** Translated, or null. */
  errorOf: (name: keyof DogDraft) => string | null;
}

export function NameField({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  return (
    <TextField
      label={t('dogs.form.name')}
      value={draft.name}
      maxLength={60}
      error={errorOf('name')}
      onChange={(event) => set({ name: event.target.value })}
    />
  );
}

/** What a dog must have besides its name. */
export function BasicsFields({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  const language = useLanguage();
  const names = useBreedNames();
  const [today] = useState(() => new Date().toLocaleDateString('en-CA'));
  const breeds = useMemo(
    () => sortedBreeds(names, language).map(({ key, name }) => ({ value: key, label: name })),
    [names, language],
  );
  return (
    <>
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
        max={today}
        value={draft.birthday}
        hint={t('dogs.form.birthdayHint')}
        error={errorOf('birthday')}
        onChange={(event) => set({ birthday: event.target.value })}
      />
    </>
  );
}

export function CharacterFields({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  return (
    <>
      <ChipGroup
        label={t('dogs.form.size')}
        options={SIZES.map((value) => ({
          value,
          label: t(`dogs.size.${value}`, { gender: draft.gender ?? '' }),
        }))}
        value={draft.size}
        onChange={(size) => set({ size })}
      />
      <ChipGroup
        label={t('dogs.form.energy')}
        options={ENERGIES.map((value) => ({
          value,
          label: t(`dogs.energy.${value}`, { gender: draft.gender ?? '' }),
        }))}
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
  );
}

export function TastesFields({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  return (
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
  );
}
