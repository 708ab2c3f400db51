// /parks/{id}/: the general page of a park.
import { createFileRoute } from '@tanstack/react-router';
import { CheckInPanel } from '#/features/checkins/components/check-in-panel.tsx';
import { ParkConditions } from '#/features/live-reports/components/park-conditions.tsx';
import { busyHoursQueryOptions, useBusyHours } from '#/features/parks/api/busy-hours.ts';
import { usePark } from '#/features/parks/api/park.ts';
import { useParkStatus } from '#/features/parks/api/park-status.ts';
import { BusyHoursChart } from '#/features/parks/components/busy-hours-chart.tsx';
import { GoNowLine } from '#/features/parks/components/go-now-line.tsx';
import { LiveCard } from '#/features/parks/components/live-card.tsx';
import { ParkAbout } from '#/features/parks/components/park-about.tsx';
import { ParkColumns } from '#/features/parks/components/park-columns.tsx';
import { parkHour } from '#/lib/park-time.ts';
import { useSession } from '#/lib/session.ts';
import { useNow } from '#/lib/use-now.ts';
import { useLoginGate } from '#/ui/use-login-gate.tsx';

export const Route = createFileRoute('/parks/$parkId/')({
  loader: ({ params: { parkId }, context: { queryClient } }) => {
    void queryClient.prefetchQuery(busyHoursQueryOptions(parkId));
  },
  component: GeneralPage,
});

function GeneralPage() {
  const { parkId } = Route.useParams();
  const { userId } = useSession();
  const park = usePark(parkId).data;
  const status = useParkStatus(parkId);
  const busyHours = useBusyHours(parkId).data;
  const now = parkHour(new Date(useNow(60_000)));
  const gate = useLoginGate();
  if (!park) return null;
  const live = status.data;
  return (
    <ParkColumns
      main={
        <>
          {busyHours && <BusyHoursChart rows={busyHours} now={now} />}
          <ParkAbout
            park={park}
            onSuggest={() => {
              /* wired with the suggestion sheet */
            }}
          />
        </>
      }
      side={
        <>
          <LiveCard
            status={live}
            failed={status.isError && !live}
            goNow={
              live && (
                <GoNowLine
                  {...now}
                  dogsNow={live.dogs_now}
                  shade={park.shade}
                  conditions={live.conditions.map((report) => report.condition)}
                  weather={[]}
                  busyHours={busyHours ?? []}
                />
              )
            }
            checkIn={
              !live?.my_check_in && (
                <CheckInPanel parkId={parkId} userId={userId} guard={gate.guard} />
              )
            }
          />
          {live && (
            <ParkConditions parkId={parkId} conditions={live.conditions} guard={gate.guard} />
          )}
          {gate.sheet}
        </>
      }
    />
  );
}
