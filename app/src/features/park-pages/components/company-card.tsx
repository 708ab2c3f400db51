// The traits of the dogs at the park, and how they suit the user's dogs.
import { Dog, PawPrint, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { useT } from '#/i18n/i18n.ts';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';

interface CompanyCardProps {
  company: ParkCompany;
  /** How the dogs at the park suit the user's dogs. */
  fit: ReactNode;
}

export function CompanyCard({ company, fit }: CompanyCardProps) {
  const t = useT();
  return (
    <Card as="section" aria-labelledby="company" className="column-3">
      <h2 id="company" className="text-3">
        {t('parks.company.title')}
      </h2>
      <ul className="wrap-2">
        {company.size && (
          <li>
            <Chip icon={Dog} tone="sand">
              {t(`parks.company.size.${company.size}`)}
            </Chip>
          </li>
        )}
        {company.puppies && (
          <li>
            <Chip icon={PawPrint} tone="sand">
              {t(`parks.company.puppies.${company.puppies}`)}
            </Chip>
          </li>
        )}
        {company.energy && (
          <li>
            <Chip icon={Zap} tone="park">
              {t(`parks.company.energy.${company.energy}`)}
            </Chip>
          </li>
        )}
      </ul>
      {fit}
    </Card>
  );
}
