// The outline of a park, as its source draws it: north is up, in every language.
import type { Outline } from '#/core/outline.ts';
import { outlinePath } from '#/features/park-facts/outline-path.ts';
import { useT } from '#/i18n/i18n.ts';
import styles from './park-outline.module.css';

export function ParkOutline({ outline }: { outline: Outline }) {
  const t = useT();
  const { d, width, height } = outlinePath(outline);
  const margin = Math.max(width, height) / 40;
  return (
    <svg
      role="img"
      aria-label={t('parks.about.outline')}
      className={styles.outline}
      viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
    >
      <path d={d} fillRule="evenodd" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
