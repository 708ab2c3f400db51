// /parks/{id}/visitors: who is at the park.
import { createFileRoute } from '@tanstack/react-router';
import { useParkStatus } from '#/features/parks/api/park-status.ts';
import { ParkVisitors } from '#/features/parks/components/park-visitors.tsx';
import { useSession } from '#/lib/session.ts';

export const Route = createFileRoute('/parks/$parkId/visitors')({ component: VisitorsPage });

function VisitorsPage() {
  const { parkId } = Route.useParams();
  const { status: session } = useSession();
  const status = useParkStatus(parkId);
  return (
    <ParkVisitors
      status={status.data}
      failed={status.isError && !status.data}
      loggedIn={session === 'in'}
      invite={null}
    />
  );
}
