// A park's known facts as one line of small text: size, shade, ground, facilities.
import { TriangleAlert } from 'lucide-react';
import { groundsOf } from '../../../../../shared/park-facts.ts';
import type { ParkFacts } from '../../../../../shared/park-facts.ts';
import { shadeLevel } from '#/features/park-lists/shade-level.ts';
import { useT, type Translate } from '#/i18n/i18n.ts';
import { isCondition } from '../../../../../shared/verdict/conditions.ts';
import type { KnownHazard } from '../../../../../shared/verdict/hazards.ts';
import { HazardChips } from '#/features/park-lists/components/hazard-chips.tsx';
import { Chip } from '#/ui/chip.tsx';
import styles from './park-facts-line.module.css';
import { PARK_SIZES } from '../../../../../shared/enums.ts';

interface ParkFactsLineProps {
  facts: ParkFacts | null;
  conditions: readonly string[];
  hazards: readonly KnownHazard[];
}

export function ParkFactsLine({ facts, conditions, hazards }: ParkFactsLineProps) {
  const t = useT();
  const reported = conditions.filter(isCondition);
  const known = facts ? factLabels(facts, t) : [];
  return (
    <>
      {reported.length + hazards.length > 0 && (
        <span className={styles.chips}>
          <HazardChips hazards={hazards} />
          {reported.map((condition) => (
            <Chip key={condition} tone="alert" icon={TriangleAlert}>
              {t(`liveReports.condition.${condition}`)}
            </Chip>
          ))}
        </span>
      )}
      {known.length > 0 && (
        <span className={styles.facts}>
          <span className={styles.list}>
            {known.map((fact) => (
              <span key={fact} className={styles.fact}>
                {fact}
              </span>
            ))}
          </span>
        </span>
      )}
    </>
  );
}

/** Returns the facts in order of importance, because a narrow line has no room for the last ones. */
function factLabels(facts: ParkFacts, t: Translate): string[] {
  return [
    ...PARK_SIZES.filter((size) => size === facts.size_label).map((size) =>
      t(`parks.size.${size}`),
    ),
    ...(facts.shade === null ? [] : [t(`parks.shade.${shadeLevel(facts.shade)}`)]),
    ...groundsOf(facts.materials).map((ground) => t(`parks.ground.${ground}`)),
    ...(facts.has_facilities ? [t('parks.about.facilities')] : []),
  ];
}
