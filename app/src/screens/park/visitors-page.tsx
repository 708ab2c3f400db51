// The visitors of a park, its weekly meetings, and a button to invite friends.
import { getRouteApi } from '@tanstack/react-router';
import { CalendarPlus } from 'lucide-react';
import { useParkCompany } from '#/features/park-pages/queries/park-company.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { CompanyCard } from '#/features/park-pages/components/company-card.tsx';
import { ParkVisitors } from '#/features/park-pages/components/park-visitors.tsx';
import { useT } from '#/i18n/i18n.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import { useFriendSheets } from '#/screens/shared/friend-sheets.tsx';
import { Button } from '#/ui/button.tsx';
import { useParkContext } from '#/screens/park/park-context.ts';

const CompanyFitLines = lazyPart(() => import('#/features/dogs/components/company-fit-lines.tsx'));
const PackTimes = lazyPart(() => import('#/features/park-invites/components/pack-times.tsx'));

const route = getRouteApi('/parks/$parkId/visitors');

export function VisitorsPage() {
  const t = useT();
  const { parkId } = route.useParams();
  const { status: session, userId } = useSession();
  const { guard } = useParkContext();
  const { invite, sheet } = useFriendSheets(parkId, guard);
  const status = useParkStatus(parkId);
  const company = useParkCompany(parkId);
  const asOf = useAsOf(status.dataUpdatedAt);
  return (
    <>
      <ParkVisitors
        status={status.data}
        failed={status.isError && !status.data}
        asOf={asOf}
        loggedIn={session === 'in'}
        company={
          company && (
            <CompanyCard
              company={company}
              fit={userId && <CompanyFitLines userId={userId} company={company} />}
            />
          )
        }
        invite={
          <Button variant="secondary" icon={CalendarPlus} onClick={invite}>
            {t('ui.inviteFriends')}
          </Button>
        }
      />
      <PackTimes parkId={parkId} guard={guard} />
      {sheet}
    </>
  );
}
