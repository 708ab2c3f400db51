// My friends and requests; of a friend their friends, where they show them.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { Footprints } from 'lucide-react';
import {
  friendRequestsQueryOptions,
  friendsOfQueryOptions,
  friendsQueryOptions,
} from '#/features/friendships/queries/friends.ts';
import { FriendLists } from '#/features/friendships/components/friend-lists.tsx';
import { FriendsOfFriend } from '#/features/friendships/components/friends-of-friend.tsx';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { loadCurrent, loadOrOffline } from '#/data/load-or-offline.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import { parkWords, usePark } from '#/entities/parks/park.ts';
import { useInviteFriends } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { momentOf } from '#/features/park-invites/meeting-time.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';

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

function ComingButton({ friend }: { friend: FriendThere }) {
  const t = useT();
  const language = useLanguage();
  const park = usePark(friend.park_id).data;
  const invite = useInviteFriends();
  return (
    <Button
      variant="secondary"
      icon={Footprints}
      busy={invite.isPending}
      disabled={invite.isSuccess}
      aria-label={t('friendships.comingNamed', { name: friend.name })}
      onClick={() => {
        const meetAt = momentOf('twenty', new Date())?.toISOString() ?? '';
        const { id, name, picture, park_id: parkId } = friend;
        invite.mutate(
          {
            parkId,
            parkName: park ? parkWords(park, language).name : '',
            guests: [{ id, name, picture }],
            meetAt,
          },
          {
            onSuccess: (outcome) => {
              if (outcome !== 'queued') showSuccess(t('parkInvites.sent', { count: 1 }));
            },
            onError: showError,
          },
        );
      }}
    >
      {t('friendships.coming')}
    </Button>
  );
}
