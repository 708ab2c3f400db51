// The dog type, and its rules: age and validation. Pure.
import * as v from 'valibot';
import { MAX_DESCRIPTION, MAX_NAME, MAX_TEXT, MIN_BIRTHDAY } from '#/features/dogs/dog-limits.ts';
import type { Database } from '../../../../shared/database.types.ts';
import { DOG_ENERGIES, DOG_GENDERS, DOG_SIZES } from '../../../../shared/enums.ts';

/** `breed` is a key of i18n/breeds, `likes` and `dislikes` are comma-separated, and `photo` is a path in the users bucket. */
export type Dog = Omit<Database['public']['Tables']['dogs']['Row'], 'created_at' | 'deleted_at'>;

/** Returns the age in whole years and months. @param birthday YYYY-MM-DD; a future one counts as zero */
export function dogAge(birthday: string, today = new Date()): { years: number; months: number } {
  const [year = 0, month = 1, day = 1] = birthday.split('-').map(Number);
  let months = (today.getFullYear() - year) * 12 + (today.getMonth() + 1 - month);
  if (today.getDate() < day) months -= 1;
  months = Math.max(0, months);
  return { years: Math.floor(months / 12), months: months % 12 };
}

/** Splits comma-separated text. The commas of all three scripts count. */
export const splitTags = (text: string | null): string[] => [
  ...new Set(
    (text ?? '')
      .split(/[,،]/)
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
];

export const joinTags = (tags: readonly string[]): string => tags.join(', ');

const optionalText = (longest: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(longest, 'ui.field.tooLong'),
    v.transform((text) => text || null),
  );

/** The form's values. Issue messages are message keys. */
export const dogInput = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'ui.nameMissing'),
    v.maxLength(MAX_NAME, 'ui.field.tooLong'),
  ),
  breed: v.pipe(v.string(), v.minLength(1, 'dogs.form.breedMissing')),
  gender: v.picklist(DOG_GENDERS, 'dogs.form.genderMissing'),
  birthday: v.pipe(
    v.string(),
    v.isoDate('dogs.form.birthdayMissing'),
    v.check((text) => text >= MIN_BIRTHDAY, 'dogs.form.birthdayWrong'),
    v.check((text) => new Date(`${text}T00:00`) <= new Date(), 'dogs.form.birthdayWrong'),
  ),
  birthday_by_month: v.boolean(),
  size: v.nullable(v.picklist(DOG_SIZES)),
  temperament: optionalText(MAX_TEXT),
  energy: v.nullable(v.picklist(DOG_ENERGIES)),
  possessive: v.nullable(v.boolean()),
  likes: optionalText(MAX_TEXT),
  dislikes: optionalText(MAX_TEXT),
  description: optionalText(MAX_DESCRIPTION),
});

/** The form's values while it is being filled in. */
export type DogDraft = Omit<v.InferInput<typeof dogInput>, 'gender'> & {
  gender: Dog['gender'] | null;
};

export type DogInput = v.InferOutput<typeof dogInput>;

export const EMPTY_DRAFT: DogDraft = {
  name: '',
  breed: '',
  gender: null,
  birthday: '',
  birthday_by_month: true,
  size: null,
  temperament: '',
  energy: null,
  possessive: null,
  likes: '',
  dislikes: '',
  description: '',
};

/** Converts a stored dog to form values; unknown values become empty strings. */
export const draftOf = (dog: Dog): DogDraft =>
  Object.fromEntries(
    Object.entries(EMPTY_DRAFT).map(([name, empty]) => [name, dog[name as keyof Dog] ?? empty]),
  ) as DogDraft;
