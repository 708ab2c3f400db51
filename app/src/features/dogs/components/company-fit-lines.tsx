// One line for each way in which the dogs at a park suit the user's dogs.
import { companyFit, type Fit, type Traits } from '#/features/dogs/company-fit.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';

export default function CompanyFitLines({ userId, company }: { userId: string; company: Traits }) {
  const t = useT();
  const locale = useLocale();
  const companions = useCompanions(userId) ?? [];
  const names = new Map<Fit, string[]>();
  for (const dog of companions) {
    const fit = companyFit(dog, company);
    names.set(fit, [...(names.get(fit) ?? []), dog.name]);
  }
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return [...names].map(([fit, dogs]) => (
    <p key={fit}>{t(`parks.company.fit.${fit}`, { dogs: list.format(dogs) })}</p>
  ));
}
