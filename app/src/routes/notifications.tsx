// My notifications.
import { createFileRoute } from '@tanstack/react-router';
import { NotificationList } from '#/features/notifications/components/notification-list.tsx';
import { requireSession } from '#/lib/session/require-session.ts';

export const Route = createFileRoute('/notifications')({
  beforeLoad: requireSession,
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const { userId } = Route.useRouteContext();
  return <NotificationList userId={userId} />;
}
