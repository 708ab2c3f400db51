// A park's opening hours: whether it is open and until when, the rule for dogs if it changes, and on tap the coming week.
import { Clock, PawPrint } from 'lucide-react';
import {
  dogsNow,
  type HoursOfPark,
  openNow,
  weekOf,
} from '../../../../../shared/opening-hours/hours-of-park.ts';
import {
  formatDay,
  formatOpen,
  formatRule,
  weekdayName,
} from '#/features/verdicts/format-hours.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { LocalTime } from '../../../../../shared/opening-hours/open-now.ts';
import { Card } from '#/ui/card.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './hours-card.module.css';

interface HoursCardProps {
  hours: HoursOfPark;
  now: LocalTime;
}

export function HoursCard({ hours, now }: HoursCardProps) {
  const t = useT();
  const locale = useLocale();
  const open = openNow(hours, now);
  const dogs = dogsNow(hours, now);
  const week = open?.changesAt ? weekOf(hours, now.day) : null;
  if (!open && !dogs) return null;
  return (
    <Card as="section" aria-labelledby="park-hours" className="grid-2">
      <h2 id="park-hours">{t('parks.fact.opening_hours')}</h2>
      {open && (
        <p className={styles.line} data-open={open.open}>
          <Icon of={Clock} />
          <strong>{formatOpen(open, now, t, locale)}</strong>
        </p>
      )}
      {dogs && (
        <p className={styles.line}>
          <Icon of={PawPrint} />
          {formatRule(dogs, now, t, locale)}
        </p>
      )}
      {week && (
        <details>
          <summary className={styles.more}>{t('parks.hours.week')}</summary>
          <dl className={styles.week}>
            {week.map((spans, days) => (
              <div key={weekdayName(now.day + days, locale)}>
                <dt>{days === 0 ? t('parks.hours.today') : weekdayName(now.day + days, locale)}</dt>
                <dd>{formatDay(spans, t, locale)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Card>
  );
}
