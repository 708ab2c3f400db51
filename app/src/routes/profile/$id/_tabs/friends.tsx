// /profile/{id}/friends: the friends tab of a user's page.
import { createFileRoute, redirect } from '@tanstack/react-router';
import {
  friendRequestsQueryOptions,
  friendsOfQueryOptions,
  friendsQueryOptions,
} from '#/features/friendships/queries/friends.ts';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { loadCurrent, loadOrOffline } from '#/data/load-or-offline.ts';
import { FriendsTab } from '#/screens/profile/friends-tab.tsx';

export const Route = createFileRoute('/profile/$id/_tabs/friends')({
  loader: async ({ context: { queryClient, userId }, params: { id } }) => {
    if (id === userId) {
      await Promise.all([
        loadOrOffline(queryClient, friendsQueryOptions()),
        loadOrOffline(queryClient, friendRequestsQueryOptions()),
      ]);
      return;
    }
    const page = await loadCurrent(queryClient, userPageQueryOptions(id));
    if (!page.shows_friends) throw redirect({ to: '/profile/$id/dogs', params: { id } });
    void queryClient.prefetchQuery(friendsOfQueryOptions(id));
  },
  component: FriendsTab,
});
