// The card of the busy-hours chart: its switch and number, its loading and failing states.
import { BusyHoursChart } from '#/features/verdicts/components/busy-hours-chart.tsx';
import type { BusyHour } from '#/data/parks/park-card.ts';
import { useT } from '#/i18n/i18n.ts';
import type { DayKind, ParkHour } from '#/core/park-time.ts';
import { Card } from '#/ui/card.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

interface BusyHoursCardProps {
  rows: readonly BusyHour[] | undefined;
  failed: boolean;
  now: ParkHour;
  tomorrowKind: DayKind;
  /** Dogs at this moment; null where only an old answer or none is known. */
  dogsNow: number | null;
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
