// /notifications: the user's notifications.
import { createFileRoute } from '@tanstack/react-router';
import { requireSession } from '#/data/session/require-session.ts';
import { NotificationsScreen } from '#/screens/notifications/notifications-screen.tsx';

export const Route = createFileRoute('/notifications')({
  beforeLoad: requireSession,
  component: NotificationsScreen,
});
