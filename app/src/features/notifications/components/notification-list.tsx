// The list of notifications, new and unread ones first.
import { useNavigate } from '@tanstack/react-router';
import { CalendarDays, CheckCheck, Settings } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMark } from '#/features/notifications/commands/mark.ts';
import { useHistory, useUnseen } from '#/features/notifications/queries/notifications.ts';
import { useUnreadCount } from '#/features/notifications/queries/unseen-count.ts';
import {
  type NotificationResponses,
  NotificationItem,
} from '#/features/notifications/components/notification-item.tsx';
import { NotificationSettings } from '#/features/notifications/components/notification-settings.tsx';
import {
  type AppNotification,
  MAX_CACHED,
  targetOf,
} from '#/features/notifications/notification.ts';
import { useT } from '#/i18n/i18n.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { Button } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { IconButton, IconLink } from '#/ui/icon-button.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { Sheet } from '#/ui/sheet.tsx';

/** Loaded only if push notifications can be offered. */
const PushHint = lazyPart(() => import('#/features/notifications/components/push-hint.tsx'));

interface NotificationListProps extends NotificationResponses {
  userId: string;
}

export function NotificationList({ userId, ...responses }: NotificationListProps) {
  const t = useT();
  const navigate = useNavigate();
  const unseen = useUnseen(userId);
  const history = useHistory(userId);
  const mark = useMark();
  const [choosing, setChoosing] = useState(false);
  // Opening the list marks all notifications as seen. Remember which ones were new, so that they stay in their section until the
  // list is closed.
  const [fresh, setFresh] = useState<AppNotification[]>([]);
  const arrived = unseen.data?.filter(({ id }) => !fresh.some((known) => known.id === id)) ?? [];
  if (arrived.length > 0) setFresh([...arrived, ...fresh]);

  const newest = fresh[0]?.id;
  const markSeen = mark.mutate;
  useEffect(() => {
    if (newest) markSeen({ what: 'allSeen' });
  }, [newest, markSeen]);

  const seen = history.data?.pages.flat() ?? [];
  const current = new Map(seen.map((each) => [each.id, each]));
  const isFresh = ({ id }: AppNotification) => fresh.some((each) => each.id === id);
  const shown = [
    ...fresh.map((each) => current.get(each.id) ?? each),
    ...seen.filter((each) => !isFresh(each)),
  ];
  const unread = shown.filter(({ read_at }) => read_at === null).length;
  // While the section has unread notifications, notifications that were just read stay in it.
  const isNew = (each: AppNotification) => each.read_at === null || (unread > 0 && isFresh(each));
  const news = shown.filter(isNew);
  const earlier = shown.filter((each) => !isNew(each));
  const unreadInAll = useUnreadCount(
    userId,
    history.hasNextPage || unseen.data?.length === MAX_CACHED,
  );
  const newCount = Math.max(unread, unreadInAll ?? 0);

  const showAsRead = (isRead: (each: AppNotification) => boolean) =>
    setFresh((before) =>
      before.map((each) => (isRead(each) ? { ...each, read_at: new Date().toISOString() } : each)),
    );
  const open = (notification: AppNotification) => {
    const { id } = notification;
    if (!notification.read_at)
      mark.mutate({ what: 'read', id }, { onSuccess: () => showAsRead((each) => each.id === id) });
    const path = targetOf(notification);
    if (path) void navigate({ href: path });
  };

  const isEmpty = news.length + earlier.length === 0;
  const pending = unseen.isPending || history.isPending;
  const failed = unseen.error ?? history.error;
  return (
    <Page>
      <PageHeader
        title={t('ui.notifications')}
        actions={
          <>
            <IconLink to="/meetings" icon={CalendarDays} label={t('ui.meetings')} />
            {unread > 0 && (
              <IconButton
                icon={CheckCheck}
                label={t('notifications.markAllRead')}
                onClick={() =>
                  mark.mutate({ what: 'allRead' }, { onSuccess: () => showAsRead(() => true) })
                }
              />
            )}
            <IconButton
              icon={Settings}
              label={t('notifications.settings.title')}
              onClick={() => setChoosing(true)}
            />
          </>
        }
      />
      <PushHint />
      {pending || (failed && isEmpty) ? (
        <Loading
          error={pending ? null : failed}
          refetch={() => Promise.all([unseen.refetch(), history.refetch()])}
          height="16rem"
        />
      ) : isEmpty ? (
        <EmptyState pose="sleeping" text={t('notifications.empty')} />
      ) : (
        <>
          {/* When all are read, they stay in the first section, so that their items stay mounted and can announce the response. */}
          <Section
            title={t(unread > 0 ? 'notifications.new' : 'notifications.earlier', {
              count: unread > 0 ? newCount : earlier.length,
            })}
            list={unread > 0 ? news : earlier}
            open={open}
            {...responses}
          />
          {unread > 0 && (
            <Section
              title={t('notifications.earlier', { count: earlier.length })}
              list={earlier}
              open={open}
              {...responses}
            />
          )}
          {history.hasNextPage && (
            <Button
              variant="secondary"
              busy={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            >
              {t('ui.showMore')}
            </Button>
          )}
        </>
      )}
      <Sheet
        open={choosing}
        onClose={() => setChoosing(false)}
        title={t('notifications.settings.title')}
        size="small"
      >
        <NotificationSettings userId={userId} />
      </Sheet>
    </Page>
  );
}

interface SectionProps extends NotificationResponses {
  title: string;
  list: readonly AppNotification[];
  open: (notification: AppNotification) => void;
}

function Section({ title, list, open, ...responses }: SectionProps) {
  if (list.length === 0) return null;
  return (
    <section className="column-3">
      <h2 className="text-3">{title}</h2>
      <ul className="column-2">
        {list.map((notification) => (
          <NotificationItem
            key={notification.id}
            notification={notification}
            onOpen={() => open(notification)}
            {...responses}
          />
        ))}
      </ul>
    </section>
  );
}
