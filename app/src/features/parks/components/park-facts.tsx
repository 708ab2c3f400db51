// The facts of a park as chips: ground, size, shade, facilities; only what is known.
import { Fence, Layers, Ruler, Sun, TriangleAlert } from 'lucide-react';
import { GROUNDS, SIZES, type Ground, type Size } from '#/features/parks/park-search.ts';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { useT } from '#/i18n/i18n.ts';
import { isCondition } from '#/data/conditions.ts';
import { Chip } from '#/ui/chip.tsx';
import styles from './park-facts.module.css';

const isSize = (value: string | null): value is Size => SIZES.some((size) => size === value);
const isGround = (value: string): value is Ground => GROUNDS.some((ground) => ground === value);

interface ParkFactsChipsProps {
  facts: ParkFacts | null;
  conditions: readonly string[];
}

export function ParkFactsChips({ facts, conditions }: ParkFactsChipsProps) {
  const t = useT();
  const grounds = facts?.materials?.filter(isGround) ?? [];
  return (
    <span className={styles.chips}>
      {conditions.filter(isCondition).map((condition) => (
        <Chip key={condition} tone="alert" icon={TriangleAlert}>
          {t(`liveReports.condition.${condition}`)}
        </Chip>
      ))}
      {facts && isSize(facts.size_label) && (
        <Chip icon={Ruler}>{t(`parks.size.${facts.size_label}`)}</Chip>
      )}
      {grounds.length > 0 && (
        <Chip icon={Layers}>
          {grounds.map((ground) => t(`parks.ground.${ground}`)).join(' · ')}
        </Chip>
      )}
      {typeof facts?.shade === 'number' && (
        <Chip icon={Sun}>{t('parks.shadeShort', { hours: facts.shade })}</Chip>
      )}
      {facts?.has_facilities && <Chip icon={Fence}>{t('parks.facilities.yes')}</Chip>}
    </span>
  );
}
