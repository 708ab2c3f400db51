// The user's notifications, with the commands that respond to friend requests and invites in place.
import { getRouteApi } from '@tanstack/react-router';
import { takeFriendshipStep } from '#/features/friendships/commands/friendship-step.command.ts';
import { NotificationList } from '#/features/notifications/components/notification-list.tsx';
import { respondToInvite } from '#/features/park-invites/commands/respond-to-invite.command.ts';

const route = getRouteApi('/notifications');

export function NotificationsScreen() {
  const { userId } = route.useRouteContext();
  return (
    <NotificationList
      // A new list for each user: notifications that were new to one user must not stay for the next.
      key={userId}
      userId={userId}
      respondToRequest={({ userId: sender, accept }) =>
        takeFriendshipStep({ userId: sender, step: accept ? 'accept' : 'decline' })
      }
      respondToInvite={respondToInvite}
    />
  );
}
