// Opens the invite sheet from a friend's page, for the park where the two most likely meet.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '#/data/session/session.ts';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { useFriendSheets } from '#/screens/shared/friend-sheets.tsx';

/** `invite` is null if neither user is at a park and this user has no favourite. */
export function useInviteFriend(friendId: string): {
  invite: (() => void) | null;
  sheet: ReactNode;
} {
  const isIn = useSession().status === 'in';
  const theirs = useFriendsNow(isIn).find(({ id }) => id === friendId)?.park_id;
  const mine = useMyVisit()?.park_id;
  const favourites = useQuery({ ...favouritesQueryOptions(), enabled: isIn }).data;
  const parkId = theirs ?? mine ?? favourites?.[0];
  const { invite, sheet } = useFriendSheets(parkId ?? 0, useLoginGate().guard);
  return { invite: parkId === undefined ? null : invite, sheet: parkId !== undefined && sheet };
}
