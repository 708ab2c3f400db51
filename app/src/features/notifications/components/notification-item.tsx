// A notification with sender, message and time. Friend requests and invites have buttons to respond.
import { useMutation } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type AppNotification, targetOf } from '#/features/notifications/notification.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { directionOf, languageOf } from '#/i18n/written-text.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { announce } from '#/ui/announcements.ts';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './notifications.module.css';

/** Other features' commands that respond to a notification. They resolve to 'queued' while offline. */
export interface NotificationResponses {
  respondToRequest: (to: { userId: string; accept: boolean }) => Promise<unknown>;
  respondToInvite: (to: { inviteId: string; accept: boolean; parkId: number }) => Promise<unknown>;
}

interface NotificationItemProps extends NotificationResponses {
  notification: AppNotification;
  onOpen: () => void;
}

export function NotificationItem({
  notification,
  onOpen,
  respondToRequest,
  respondToInvite,
}: NotificationItemProps) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const { type, sender, sender_id, data, read_at, created_at, title, app_message } = notification;
  const friend = useMutation({ mutationFn: respondToRequest });
  const invite = useMutation({ mutationFn: respondToInvite });
  const busy = friend.isPending || invite.isPending;
  const responded = [friend, invite].find(({ data: outcome }) => outcome && outcome !== 'queued');
  const isQuestion =
    (type === 'friendRequest' && sender_id !== null) ||
    (type === 'parkInvite' && data.invite_id !== undefined);
  const [shown] = useWithUnsent(userKeys.unseen, [notification]).data;
  const accepted = shown?.data.accepted ?? responded?.variables?.accept;
  const isAhead = data.meet_at === undefined || Date.parse(data.meet_at) > now;
  const unanswered = isQuestion && accepted === undefined && isAhead;
  // Use the same labels as in the list of meetings.
  const [yes, no] =
    type === 'parkInvite'
      ? (['parkInvites.meetings.coming', 'parkInvites.meetings.notComing'] as const)
      : (['friendships.button.accept', 'friendships.button.decline'] as const);

  const name = sender?.name ?? title;
  const respond = (accept: boolean) => {
    const done = {
      onSuccess: (outcome: unknown) => {
        if (outcome === 'queued') return;
        if (accept && type === 'friendRequest')
          showSuccess(t('friendships.toast.nowFriends', { name }));
        else announce(t(`notifications.${accept ? 'accepted' : 'declined'}`));
      },
      onError: showError,
    };
    if (type === 'friendRequest' && sender_id) friend.mutate({ userId: sender_id, accept }, done);
    else if (data.invite_id && data.park_id)
      invite.mutate({ inviteId: data.invite_id, accept, parkId: data.park_id }, done);
  };

  return (
    <Card as="li" className={classNames(styles.item, read_at === null && styles.unread)}>
      {type === 'hazard' ? (
        <span className={styles.hazard}>
          <Icon of={TriangleAlert} size={28} />
        </span>
      ) : (
        <Avatar name={name} src={avatarUrl(sender?.picture)} size={44} />
      )}
      <div className={styles.body}>
        <button
          type="button"
          className={styles.text}
          disabled={targetOf(notification) === null}
          onClick={onOpen}
        >
          {read_at === null && (
            <span className="visually-hidden">{`${t('notifications.unread')}: `}</span>
          )}
          <strong className="strong">
            <bdi dir={directionOf(title)} lang={languageOf(title)}>
              {title}
            </bdi>
          </strong>
          <span>
            <bdi dir={directionOf(app_message)} lang={languageOf(app_message)}>
              {app_message}
            </bdi>
          </span>
        </button>
        <time className="small-note" dateTime={created_at}>
          {timeAgo(created_at, now, locale)}
        </time>
        {unanswered && (
          <div className={styles.responses}>
            <Button
              busy={busy}
              aria-label={t('ui.named', { action: t(yes), name })}
              onClick={() => respond(true)}
            >
              {t(yes)}
            </Button>
            <Button
              variant="secondary"
              busy={busy}
              aria-label={t('ui.named', { action: t(no), name })}
              onClick={() => respond(false)}
            >
              {t(no)}
            </Button>
          </div>
        )}
        {isQuestion && accepted !== undefined && (
          <p className="row-wrap-2 small-note">
            {t(`notifications.${accepted ? 'accepted' : 'declined'}`)}
            {type === 'parkInvite' && isAhead && (
              <ButtonLink variant="quiet" to="/meetings">
                {t('notifications.change')}
              </ButtonLink>
            )}
          </p>
        )}
      </div>
      {read_at === null && <span className={styles.dot} aria-hidden />}
    </Card>
  );
}
