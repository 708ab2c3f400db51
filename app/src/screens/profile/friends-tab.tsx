// The friends tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { Footprints } from 'lucide-react';
import { FriendLists } from '#/features/friendships/components/friend-lists.tsx';
import { FriendsOfFriend } from '#/features/friendships/components/friends-of-friend.tsx';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import { parkTranslation, usePark } from '#/entities/parks/park.ts';
import { useInviteFriends } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { presetTime } from '#/features/park-invites/meeting-time.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';

const route = getRouteApi('/profile/$id/_tabs/friends');

export function FriendsTab() {
  const { id } = route.useParams();
  const { userId } = route.useRouteContext();
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
        const meetAt = presetTime('twenty', new Date())?.toISOString() ?? '';
        const { id, name, picture, park_id: parkId } = friend;
        invite.mutate(
          {
            parkId,
            parkName: park ? parkTranslation(park, language).name : '',
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
