// The card of the busy-hours chart: its switch and number, its loading and failing states.
import { BusyHoursChart, type BusyHoursChartProps } from './busy-hours-chart.tsx';
import { useT } from '#/i18n/i18n.ts';
import { Card } from '#/ui/card.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

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
