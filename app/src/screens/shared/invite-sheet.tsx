// Invites friends to a park. Composes friendships and invites.
import { useQuery } from '@tanstack/react-query';
import { isOpenAt } from '../../../../shared/opening-hours/hours-of-park.ts';
import { parkTranslation, usePark } from '#/entities/parks/park.ts';
import { useSession } from '#/data/session/session.ts';
import { friendsQueryOptions } from '#/features/friendships/queries/friends.ts';
import { InviteSheet } from '#/features/park-invites/components/invite-sheet.tsx';
import { pastInvitesQueryOptions } from '#/features/park-invites/queries/past-invites.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { recentGuestsFirst } from '#/features/park-invites/recent-guests.ts';

export interface FriendSheetProps {
  parkId: number;
  onClose: () => void;
}

export default function Invite({ parkId, onClose }: FriendSheetProps) {
  const { userId } = useSession();
  const language = useLanguage();
  const park = usePark(parkId).data;
  const friends = useQuery(friendsQueryOptions());
  const past = useQuery(pastInvitesQueryOptions());
  // If past invites cannot be loaded, the friends are sorted by name.
  const invites = past.data ?? (past.isError ? [] : undefined);
  return (
    <InviteSheet
      parkId={parkId}
      parkName={park ? parkTranslation(park, language).name : ''}
      isClosedAt={(moment) => park !== undefined && isOpenAt(park.facts, park, moment) === false}
      friends={friends.data && invites && recentGuestsFirst(friends.data, invites, userId)}
      error={friends.error}
      onRetry={() => void friends.refetch()}
      onClose={onClose}
    />
  );
}
