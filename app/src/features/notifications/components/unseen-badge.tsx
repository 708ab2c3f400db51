// The number of unseen notifications, updated live. The navbar loads this component after a login.
import { useUnseenCount } from '#/features/notifications/queries/unseen-count.ts';
import { useLiveNotifications } from '#/features/notifications/use-live-notifications.ts';
import { useT } from '#/i18n/i18n.ts';
import { Badge } from '#/ui/badge.tsx';

export default function UnseenBadge() {
  const t = useT();
  const count = useUnseenCount(useLiveNotifications());
  return <Badge count={count} label={t('notifications.new', { count })} />;
}
