// The user's meetings at parks: upcoming ones with their guests, and the calendar feed.
import { CalendarFeed } from '#/features/park-invites/components/calendar-feed.tsx';
import { MeetingList } from '#/features/park-invites/components/meeting-list.tsx';
import { useMeetings } from '#/features/park-invites/queries/meetings.ts';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { useSession } from '#/data/session/session.ts';
import { LoginNeeded } from '#/entities/session/use-login-gate.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';

export function MeetingsScreen() {
  const t = useT();
  const { status } = useSession();
  return (
    <Page>
      <PageHeader title={t('ui.meetings')} back={{ to: '/notifications' }} />
      {status === 'in' ? (
        <Meetings />
      ) : (
        status !== 'unknown' && <LoginNeeded text={t('parkInvites.meetings.gate')} />
      )}
    </Page>
  );
}

function Meetings() {
  const { data, error, refetch } = useMeetings();
  return (
    <>
      {data ? (
        <>
          <MeetingList meetings={data} />
          {getConfig().hostPages && <CalendarFeed />}
        </>
      ) : (
        <Loading error={error} refetch={refetch} height="12rem" />
      )}
    </>
  );
}
