// The friends tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { FriendLists } from '#/features/friendships/components/friend-lists.tsx';
import { FriendsOfFriend } from '#/features/friendships/components/friends-of-friend.tsx';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useT } from '#/i18n/i18n.ts';
import { useFriendSheets } from '#/screens/shared/friend-sheets.tsx';
import { Button } from '#/ui/button.tsx';

const route = getRouteApi('/profile/$id/_tabs/friends');

export function FriendsTab() {
  const { id } = route.useParams();
  const { userId } = route.useRouteContext();
  return id === userId ? <OwnFriends /> : <FriendsOfFriend userId={id} />;
}

function OwnFriends() {
  const t = useT();
  const visit = useMyVisit();
  /** The park of the friend to whom the user is coming. */
  const [parkId, setParkId] = useState<number | null>(null);
  const { onMyWay, sheet } = useFriendSheets(parkId ?? 0, useLoginGate().guard);
  return (
    <>
      <FriendLists
        coming={({ name, park_id }) =>
          visit?.park_id !== park_id && (
            <Button
              variant="secondary"
              icon={Footprints}
              aria-label={t('friendships.comingNamed', { name })}
              onClick={() => {
                setParkId(park_id);
                onMyWay();
              }}
            >
              {t('friendships.coming')}
            </Button>
          )
        }
      />
      {parkId !== null && sheet}
    </>
  );
}
