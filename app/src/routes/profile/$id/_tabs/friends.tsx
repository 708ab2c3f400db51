// My friends and requests; those of others are private.
import { createFileRoute, redirect } from '@tanstack/react-router';
import {
  friendRequestsQueryOptions,
  friendsQueryOptions,
} from '#/features/friendships/queries/friends.ts';
import { FriendLists } from '#/features/friendships/components/friend-lists.tsx';
import { loadOrOffline } from '#/data/load-or-offline.ts';

export const Route = createFileRoute('/profile/$id/_tabs/friends')({
  beforeLoad: ({ context, params }) => {
    if (params.id !== context.userId) throw redirect({ to: '/profile/$id/dogs', params });
  },
  loader: ({ context }) =>
    Promise.all([
      loadOrOffline(context.queryClient, friendsQueryOptions()),
      loadOrOffline(context.queryClient, friendRequestsQueryOptions()),
    ]),
  component: FriendLists,
});
