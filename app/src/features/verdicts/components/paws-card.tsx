// How hot the ground is for paws today: the park's surfaces and the asphalt on the way there, and the test that is never wrong.
import {
  groundLevel,
  type SurfaceToday,
  UNCERTAINTY,
} from '#/features/verdicts/ground-temperature.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { formatHour } from '#/core/park-time.ts';
import { Card } from '#/ui/card.tsx';
import styles from './paws-card.module.css';

export function PawsCard({ surfaces }: { surfaces: readonly SurfaceToday[] }) {
  const t = useT();
  const locale = useLocale();
  const words = ({ now, burns }: SurfaceToday) =>
    burns
      ? t('parks.paws.burningHours', {
          from: formatHour(burns.from, locale),
          to: formatHour(burns.to, locale),
        })
      : t(`parks.paws.${groundLevel(now)}`);
  return (
    <Card as="section" aria-labelledby="park-paws" className="grid-2">
      <h2 id="park-paws">{t('parks.paws.title')}</h2>
      <ul className={styles.surfaces}>
        {surfaces.map((entry) => (
          <li key={entry.surface} data-level={groundLevel(entry.now)}>
            <span>
              {t('parks.paws.surface', {
                surface: t(`parks.ground.${entry.surface}`),
                degrees: Math.round(entry.now),
              })}
            </span>
            <strong>{words(entry)}</strong>
          </li>
        ))}
      </ul>
      <p className="small-note">{t('parks.paws.estimate', { degrees: UNCERTAINTY })}</p>
    </Card>
  );
}
