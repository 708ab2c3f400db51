// The busy hours of a day as 24 bars, with the current number of dogs over its bar. A tap shows the number of an hour. Screen
// readers get a table.
import { useState } from 'react';
import { busyBars, fullScale, hasHistory } from '#/features/verdicts/busy-bars.ts';
import type { BusyHour } from '../../../../../shared/verdict/busy-hours.ts';
import { type MessageKey, useLocale, useT } from '#/i18n/i18n.ts';
import { formatHour, type DayType, type ParkHour } from '../../../../../shared/park-time.ts';
import { Card } from '#/ui/card.tsx';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './busy-hours-card.module.css';

const LABELLED = [0, 6, 12, 18];

/** A certain day, or the average of weekdays or weekends. */
type Day = 'today' | 'tomorrow' | DayType;

const DAYS: Readonly<Record<Day, MessageKey>> = {
  today: 'parks.hours.today',
  tomorrow: 'parks.busyHours.tomorrow',
  weekday: 'parks.busyHours.weekdays',
  weekend: 'parks.busyHours.weekend',
};

interface BusyHoursChartProps {
  rows: readonly BusyHour[];
  now: ParkHour;
  tomorrowType: DayType;
  /** The current number of dogs; null if it is unknown or outdated. */
  dogsNow: number | null;
}

interface BusyHoursCardProps extends Omit<BusyHoursChartProps, 'rows'> {
  rows: BusyHoursChartProps['rows'] | undefined;
  failed: boolean;
}

export function BusyHoursCard({ rows, failed, ...day }: BusyHoursCardProps) {
  const t = useT();
  return (
    <Card as="section" aria-labelledby="busy-hours" aria-busy={!rows && !failed} className="grid-3">
      <h2 id="busy-hours">{t('parks.busyHours.title')}</h2>
      {rows ? (
        <BusyHoursChart rows={rows} {...day} />
      ) : failed ? (
        <p>{t('parks.busyHours.failed')}</p>
      ) : (
        <Skeleton height="190px" />
      )}
    </Card>
  );
}

function BusyHoursChart({ rows, now, tomorrowType, dogsNow }: BusyHoursChartProps) {
  const t = useT();
  const locale = useLocale();
  const [day, setDay] = useState<Day>('today');
  const dayType = day === 'today' ? now.dayType : day === 'tomorrow' ? tomorrowType : day;
  const [picked, setPicked] = useState<number | null>(null);
  const pick = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    setPicked(Number(currentTarget.value));
  const full = fullScale(rows, dogsNow ?? 0);
  const bars = busyBars(rows, dayType, full);
  const isNow = (hour: number) => day === 'today' && hour === now.hour;
  const shown = bars[picked ?? (day === 'today' ? now.hour : -1)];
  // Formats an average number of dogs, rounded.
  const dogs = (average: number) => t('parks.busyHours.dogs', { count: Math.round(average) });
  const reading = shown
    ? isNow(shown.hour) && dogsNow !== null
      ? t('parks.busyHours.readingNow', {
          now: t('parks.dogsNow', { count: dogsNow }),
          dogs: dogs(shown.dogs),
        })
      : t('parks.busyHours.reading', {
          hour: formatHour(shown.hour, locale),
          dogs: dogs(shown.dogs),
        })
    : t('parks.busyHours.tap');
  return (
    <>
      <SegmentedControl<Day>
        label={t('parks.busyHours.days')}
        options={(Object.keys(DAYS) as Day[]).map((value) => ({ value, label: t(DAYS[value]) }))}
        value={day}
        onChange={(next) => {
          setDay(next);
          setPicked(null);
        }}
      />
      {hasHistory(rows) ? (
        <>
          <p className={styles.reading} aria-hidden>
            {reading}
          </p>
          <div className={styles.bars}>
            {bars.map(({ hour, share }) => (
              <span
                key={hour}
                className={styles.bar}
                data-now={isNow(hour)}
                data-picked={hour === picked}
                aria-hidden
              >
                <span style={{ blockSize: `${String(Math.max(4, share * 100))}%` }} />
                {isNow(hour) && dogsNow !== null && (
                  <i
                    className={styles.live}
                    style={{ blockSize: `${String((dogsNow / full) * 100)}%` }}
                  />
                )}
                {LABELLED.includes(hour) && <small>{formatHour(hour, locale)}</small>}
              </span>
            ))}
            <input
              type="range"
              className={styles.hand}
              aria-label={t('parks.busyHours.title')}
              aria-valuetext={reading}
              max={23}
              value={shown?.hour ?? 0}
              onChange={pick}
              // If the thumb is already at the clicked hour, the browser fires no change event, so also handle the click.
              onClick={pick}
            />
          </div>
          <table className="visually-hidden">
            <caption>
              {t('ui.named', { action: t('parks.busyHours.title'), name: t(DAYS[day]) })}
            </caption>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.hour} aria-current={isNow(bar.hour) ? 'time' : undefined}>
                  <th scope="row">{formatHour(bar.hour, locale)}</th>
                  <td>{dogs(bar.dogs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : (
        <p className={styles.reading}>{t('parks.busyHours.none')}</p>
      )}
    </>
  );
}
