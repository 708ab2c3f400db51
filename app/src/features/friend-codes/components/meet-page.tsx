// The page that a friend code opens: the dog's name and photo, and after the login the button that sends a friend request.
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '#/data/session/session.ts';
import { keepFriendCode, useUseFriendCode } from '#/features/friend-codes/commands/friend-codes.ts';
import { deviceKey, friendCodeQueryOptions } from '#/features/friend-codes/queries/friend-code.ts';
import { useT } from '#/i18n/i18n.ts';
import { useAnnounce } from '#/ui/announcements.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './meet-page.module.css';

interface MeetPageProps {
  secret: string;
  /** Links to log in and sign up that return to this page. */
  loginLinks: (onLogin: () => void) => ReactNode;
}

export function MeetPage({ secret, loginLinks }: MeetPageProps) {
  const t = useT();
  const { status, userId } = useSession();
  const [device] = useState(() => deviceKey(secret));
  const use = useUseFriendCode(secret, device);
  const isKnown = status !== 'unknown';
  const code = useQuery({
    ...friendCodeQueryOptions(secret, device, userId),
    // Do not refetch a used code, because it is invalid now and the page already shows the result.
    enabled: isKnown && !use.isSuccess,
  });
  const { data } = code;
  const name = data?.name ?? '';
  const result =
    use.data === undefined || use.data === null
      ? null
      : use.data === 'friends'
        ? t('friendships.toast.nowFriends', { name })
        : t('friendCodes.page.sent', { owner: name });
  const isGone = data === null || use.data === null;
  useAnnounce(result ?? (isGone ? t('friendCodes.page.gone') : ''));
  const end = (text: string) => (
    <EmptyState text={text} action={<ButtonLink to="/">{t('ui.toMap')}</ButtonLink>} />
  );
  return (
    <>
      {/* The heading has the focus, so it must not be remounted while loading. */}
      <PageHeader
        title={
          data && !isGone ? t('friendCodes.meet', { name: data.dog }) : t('friendCodes.page.title')
        }
      />
      {isGone ? (
        end(t('friendCodes.page.gone'))
      ) : !data ? (
        <Loading error={code.error} refetch={code.refetch} height="16rem" />
      ) : (
        <div className={styles.card}>
          <Avatar name={data.dog} src={data.photo} size={160} />
          {result ? (
            <>
              <p>{result}</p>
              <ButtonLink to="/">{t('ui.toMap')}</ButtonLink>
            </>
          ) : status === 'in' ? (
            <>
              <p>{t('friendCodes.page.from', { owner: name })}</p>
              <Button
                icon={UserPlus}
                busy={use.isPending}
                onClick={() => use.mutate(undefined, { onError: showError })}
              >
                {t('friendships.button.send')}
              </Button>
            </>
          ) : (
            <>
              <p>{t('friendCodes.page.gate')}</p>
              <div className="column-3">{loginLinks(() => keepFriendCode(secret, device))}</div>
            </>
          )}
        </div>
      )}
    </>
  );
}
