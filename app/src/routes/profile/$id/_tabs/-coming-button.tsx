// One tap tells a friend who is at a park that I leave for it: an invite for in twenty minutes.
import { Footprints } from 'lucide-react';
import type { FriendThere } from '#/data/friends-there.ts';
import { parkWords, usePark } from '#/data/parks/park.ts';
import { useInviteFriends } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { momentOf } from '#/features/park-invites/meeting-time.ts';
import { errorText } from '#/i18n/errors.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { showToast } from '#/ui/toast.ts';

export function ComingButton({ friend }: { friend: FriendThere }) {
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
              if (outcome !== 'queued')
                showToast(t('parkInvites.sent', { count: 1 }), { kind: 'success' });
            },
            onError: (error) => showToast(errorText(error), { kind: 'error' }),
          },
        );
      }}
    >
      {t('friendships.coming')}
    </Button>
  );
}
