// My friends and requests; of a friend their friends, where they show them.
import { createFileRoute, redirect } from '@tanstack/react-router';
import {
  friendRequestsQueryOptions,
  friendsOfQueryOptions,
  friendsQueryOptions,
} from '#/features/friendships/queries/friends.ts';
import { FriendLists } from '#/features/friendships/components/friend-lists.tsx';
import { FriendsOfFriend } from '#/features/friendships/components/friends-of-friend.tsx';
import { ComingButton } from './-coming-button.tsx';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { loadCurrent, loadOrOffline } from '#/data/load-or-offline.ts';

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

function FriendsTab() {
  const { id } = Route.useParams();
  const { userId } = Route.useRouteContext();
  return id === userId ? (
    <FriendLists coming={(friend) => <ComingButton friend={friend} />} />
  ) : (
    <FriendsOfFriend userId={id} />
  );
}
