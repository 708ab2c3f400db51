// The user's logged-in devices with their last use; each can be logged out.
import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { deviceName } from '#/features/account/device-name.ts';
import { useEndSession } from '#/features/account/commands/end-session.ts';
import { type OwnSession, sessionsQueryOptions } from '#/features/account/queries/sessions.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { useLogOut } from '#/entities/session/use-log-out.tsx';
import { Button } from '#/ui/button.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Icon } from '#/ui/icon.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './account.module.css';

export function SessionList() {
  const t = useT();
  const { data, error, refetch } = useQuery(sessionsQueryOptions());
  const { ask, sheet } = useLogOut();
  if (!data) return <Loading error={error} refetch={refetch} height="8rem" />;
  return (
    <>
      <ul className="column-3">
        {data.map((session) => (
          <Session key={session.id} session={session} onLogOutHere={() => void ask('local')} />
        ))}
      </ul>
      {data.length > 1 && (
        <Button variant="secondary" onClick={() => void ask('global')}>
          {t('account.sessions.everywhere')}
        </Button>
      )}
      {sheet}
    </>
  );
}

function Session({ session, onLogOutHere }: { session: OwnSession; onLogOutHere: () => void }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const end = useEndSession();
  const name = deviceName(session.user_agent) ?? t('account.sessions.unknown');
  return (
    <li className="row-wrap-3">
      <Icon of={MonitorSmartphone} />
      <div className={styles.device}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="soft">
          {session.is_current
            ? t('account.sessions.here')
            : t('account.sessions.used', { ago: timeAgo(session.last_used_at, now, locale) })}
        </span>
      </div>
      {session.is_current ? (
        <Button variant="quiet" onClick={onLogOutHere}>
          {t('account.sessions.logOutHere')}
        </Button>
      ) : (
        <Button
          variant="quiet"
          busy={end.isPending}
          aria-label={t('account.sessions.logOutOf', { name })}
          onClick={() => {
            end.mutate(session.id, {
              onSuccess: () => showSuccess(t('account.sessions.ended')),
              onError: showError,
            });
          }}
        >
          {t('account.sessions.logOut')}
        </Button>
      )}
    </li>
  );
}
