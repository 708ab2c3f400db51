// A dog's age in years and months, in the language's plural and dual forms.
import { dogAge } from '#/features/dogs/dog.ts';
import { useT } from '#/i18n/i18n.ts';

export function DogAge({ birthday }: { birthday: string }) {
  const t = useT();
  const { years, months } = dogAge(birthday);
  if (years === 0) return t('dogs.age.months', { months });
  if (months === 0) return t('dogs.age.years', { years });
  return t('dogs.age.yearsAndMonths', { years: t('dogs.age.years', { years }), months });
}
