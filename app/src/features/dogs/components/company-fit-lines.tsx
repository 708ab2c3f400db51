// One line for each way in which the dogs at a park suit the user's dogs.
import { useQuery } from '@tanstack/react-query';
import { companyFit, type Fit, type Traits } from '#/features/dogs/company-fit.ts';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';

export default function CompanyFitLines({ userId, company }: { userId: string; company: Traits }) {
  const t = useT();
  const locale = useLocale();
  const own = useQuery(dogsOfOwnerQueryOptions(userId)).data ?? [];
  const kept = useQuery(keptDogsQueryOptions()).data ?? [];
  const names = new Map<Fit, string[]>();
  for (const dog of [...own, ...kept]) {
    const fit = companyFit(dog, company);
    names.set(fit, [...(names.get(fit) ?? []), dog.name]);
  }
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return [...names].map(([fit, dogs]) => (
    <p key={fit}>{t(`parks.company.fit.${fit}`, { dogs: list.format(dogs) })}</p>
  ));
}
