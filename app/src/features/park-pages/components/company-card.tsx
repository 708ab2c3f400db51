// Which dogs are at the park: how many of each size, and how lively they are.
import { Dog, Zap } from 'lucide-react';
import { ENERGIES, SIZES } from '#/data/dog-traits.ts';
import type { ParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { useT } from '#/i18n/i18n.ts';
import { Card } from '#/ui/card.tsx';
import { Chip } from '#/ui/chip.tsx';
import styles from './company-card.module.css';

export function CompanyCard({ company }: { company: ParkCompany }) {
  const t = useT();
  const sizes = SIZES.filter((size) => company.sizes[size]);
  const energies = ENERGIES.filter((energy) => company.energies[energy]);
  if (sizes.length + energies.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="company" className={styles.card}>
      <h2 id="company" className={styles.title}>
        {t('parks.company.title')}
      </h2>
      <ul className={styles.chips}>
        {sizes.map((size) => (
          <li key={size}>
            <Chip icon={Dog} tone="sand">
              {t(`parks.company.size.${size}`, { count: company.sizes[size] ?? 0 })}
            </Chip>
          </li>
        ))}
        {energies.map((energy) => (
          <li key={energy}>
            <Chip icon={Zap} tone="park">
              {t(`parks.company.energy.${energy}`, { count: company.energies[energy] ?? 0 })}
            </Chip>
          </li>
        ))}
      </ul>
    </Card>
  );
}
