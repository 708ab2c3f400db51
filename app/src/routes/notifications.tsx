// My notifications.
import { createFileRoute } from '@tanstack/react-router';
import { NotificationList } from '#/features/notifications/components/notification-list.tsx';
import { requireSession } from '#/data/session/require-session.ts';

export const Route = createFileRoute('/notifications')({
  beforeLoad: requireSession,
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const { userId } = Route.useRouteContext();
  // Another person's list is another list: what was new to one must not stay for the other.
  return <NotificationList key={userId} userId={userId} />;
}
