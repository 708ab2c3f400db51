// /parks/{id}/visitors: who is at the park, and inviting friends to it.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { CalendarPlus } from 'lucide-react';
import { friendsQueryOptions } from '#/features/friendships/queries/friends.ts';
import type { PackTimesProps } from '#/features/park-invites/components/pack-times.tsx';
import { InviteSheet } from '#/features/park-invites/components/invite-sheet.tsx';
import { isOpenAt } from '#/core/opening-hours/hours-of-park.ts';
import { parkWords, usePark } from '#/data/parks/park.ts';
import { useParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { useParkStatus } from '#/data/parks/park-status.ts';
import { CompanyCard } from '#/features/park-pages/components/company-card.tsx';
import { ParkVisitors } from '#/features/park-pages/components/park-visitors.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import { useNamedLayer } from '#/ui/layers.ts';
import { Button } from '#/ui/button.tsx';
import { useParkContext } from './-park-context.ts';

const PackTimes = lazyPart<PackTimesProps>(
  () => import('#/features/park-invites/components/pack-times.tsx'),
);

export const Route = createFileRoute('/parks/$parkId/visitors')({
  component: VisitorsPage,
});

function VisitorsPage() {
  const t = useT();
  const language = useLanguage();
  const { parkId } = Route.useParams();
  const { status: session } = useSession();
  const { guard } = useParkContext();
  const [asked, setInviting] = useNamedLayer('meeting');
  const inviting = session === 'in' && asked !== null;
  const park = usePark(parkId).data;
  const status = useParkStatus(parkId);
  const company = useParkCompany(parkId);
  const asOf = useAsOf(status.dataUpdatedAt);
  const friends = useQuery({ ...friendsQueryOptions(), enabled: inviting });
  return (
    <>
      <ParkVisitors
        status={status.data}
        failed={status.isError && !status.data}
        asOf={asOf}
        loggedIn={session === 'in'}
        company={company && <CompanyCard company={company} />}
        invite={
          <Button
            variant="secondary"
            icon={CalendarPlus}
            onClick={() => {
              guard(t('parkInvites.gate'), () => setInviting(true), {
                meeting: true,
              });
            }}
          >
            {t('parkInvites.button')}
          </Button>
        }
      />
      <PackTimes parkId={parkId} guard={guard} />
      <InviteSheet
        open={inviting}
        parkId={parkId}
        parkName={park ? parkWords(park, language).name : ''}
        isClosedAt={(moment) => park !== undefined && isOpenAt(park.facts, park, moment) === false}
        friends={friends.data}
        error={friends.error}
        onRetry={() => void friends.refetch()}
        onClose={() => setInviting(null)}
      />
    </>
  );
}
