// The form fields of a dog.
import { PawPrint } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type DogDraft, joinTags, splitTags } from '#/features/dogs/dog.ts';
import { MAX_DESCRIPTION, MAX_NAME, MAX_TEXT, MIN_BIRTHDAY } from '#/features/dogs/dog-limits.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { sortedBreeds, useBreedNames } from '#/i18n/breeds/breeds.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Combobox } from '#/ui/combobox.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import { Select } from '#/ui/select.tsx';
import { TagsField } from '#/ui/tags-field.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';
import styles from './dog-form.module.css';
import { DOG_ENERGIES, DOG_GENDERS, DOG_SIZES } from '../../../../../shared/enums.ts';

const MIXED = 'mixed';

interface DogFieldsProps {
  draft: DogDraft;
  set: (patch: Partial<DogDraft>) => void;
  /** Returns the translated error of a field, or null. */
  errorOf: (name: keyof DogDraft) => string | null;
}

interface NameFieldProps extends DogFieldsProps {
  /** True if the field is focused when it is shown in a sheet. */
  first: boolean;
  /** True if the label is a whole question. */
  question: boolean;
}

export function NameField({ draft, set, errorOf, first, question }: NameFieldProps) {
  const t = useT();
  return (
    <TextField
      label={t(question ? 'dogs.form.nameQuestion' : 'ui.name')}
      value={draft.name}
      maxLength={MAX_NAME}
      data-first-focus={first || undefined}
      error={errorOf('name')}
      onChange={(event) => set({ name: event.target.value })}
    />
  );
}

interface BreedFieldProps extends DogFieldsProps {
  /** True if the field has a button for mixed breed, the most frequent one. */
  suggestsMixed: boolean;
}

export function BreedField({ draft, set, errorOf, suggestsMixed }: BreedFieldProps) {
  const t = useT();
  const language = useLanguage();
  const names = useBreedNames();
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
      {suggestsMixed && (
        <Button
          variant="secondary"
          icon={PawPrint}
          aria-pressed={draft.breed === MIXED}
          onClick={() => set({ breed: MIXED })}
        >
          {names[MIXED] ?? ''}
        </Button>
      )}
    </>
  );
}

export function GenderField({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  return (
    <ChipGroup
      label={t('dogs.form.gender')}
      options={DOG_GENDERS.map((value) => ({ value, label: t(`dogs.gender.${value}`) }))}
      value={draft.gender}
      error={errorOf('gender')}
      onChange={(gender) => set({ gender })}
    />
  );
}

const EARLIEST_YEAR = Number(MIN_BIRTHDAY.slice(0, 4));

/** The month and year, and the day if known. Unchosen parts are empty. */
export function BirthdayField({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  const locale = useLocale();
  const [thisYear] = useState(() => new Date().getFullYear());
  const [year = '', month = '', day = ''] = draft.birthday.split('-');
  const shownDay = draft.birthday_by_month ? '' : day;
  const error = errorOf('birthday');
  const invalid = error ? true : undefined;
  const monthName = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  const choose = (parts: { year?: string; month?: string; day?: string }) => {
    const next = { year, month, day: shownDay, ...parts };
    const known = next.day !== '' && Number(next.day) <= daysOf(next.year, next.month);
    set({
      birthday: `${next.year}-${next.month}-${known ? next.day : '01'}`,
      birthday_by_month: !known,
    });
  };
  return (
    <FieldGroup
      label={t('dogs.form.birthday')}
      hint={t('dogs.form.birthdayHint')}
      error={error}
      className={styles.date}
    >
      <Select
        label={t('dogs.form.month')}
        placeholder=""
        value={month}
        aria-invalid={invalid}
        options={numbers(1, 12).map((value) => ({
          value,
          label: monthName.format(Date.UTC(2000, Number(value) - 1)),
        }))}
        onChange={(chosen) => choose({ month: chosen })}
      />
      <Select
        label={t('dogs.form.year')}
        placeholder=""
        value={year}
        aria-invalid={invalid}
        options={numbers(EARLIEST_YEAR, thisYear)
          .toReversed()
          .map((value) => ({ value, label: value }))}
        onChange={(chosen) => choose({ year: chosen })}
      />
      <Select
        label={t('ui.day')}
        optional
        placeholder=""
        value={shownDay}
        options={numbers(1, daysOf(year, month)).map((value) => ({
          value,
          label: String(Number(value)),
        }))}
        onChange={(chosen) => choose({ day: chosen })}
      />
    </FieldGroup>
  );
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(2, '0'));

const daysOf = (year: string, month: string): number =>
  year && month ? new Date(Number(year), Number(month), 0).getDate() : 31;

export function CharacterFields({ draft, set, errorOf }: DogFieldsProps) {
  const t = useT();
  return (
    <>
      <ChipGroup
        label={t('ui.size')}
        options={DOG_SIZES.map((value) => ({
          value,
          label: t(`dogs.size.${value}`, { gender: draft.gender ?? '' }),
        }))}
        value={draft.size}
        onChange={(size) => set({ size })}
      />
      <ChipGroup
        label={t('dogs.form.energy')}
        options={DOG_ENERGIES.map((value) => ({
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
        maxLength={MAX_TEXT}
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
      {(['likes', 'dislikes'] as const).map((name) => (
        <TagsField
          key={name}
          label={t(`dogs.form.${name}`, { gender: draft.gender ?? '' })}
          optional
          hint={name === 'likes' ? t('dogs.form.tagsHint') : undefined}
          tags={splitTags(draft[name])}
          error={errorOf(name)}
          onChange={(tags) => set({ [name]: joinTags(tags) })}
        />
      ))}
      <TextArea
        label={t('dogs.form.description')}
        optional
        maxLength={MAX_DESCRIPTION}
        value={draft.description}
        error={errorOf('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
    </>
  );
}
