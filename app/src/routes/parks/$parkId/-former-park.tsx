// What stands at the address of a park that closed for good or was none.
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import type { FormerPark } from '#/features/park-pages/queries/former-park.ts';
import { FormerParkScreen } from '#/features/park-pages/components/former-park-screen.tsx';
import { ParksNearby } from '#/features/park-lists/components/parks-nearby.tsx';
import { ParkReviewsList } from '#/features/reviews/components/park-reviews-list.tsx';
import { useLoginGate } from '#/data/session/use-login-gate.tsx';
import { useSession } from '#/data/session/session.ts';
import { useHere } from '#/platform/here.ts';
import { Scene } from '#/routes/-scene.tsx';
import { CardVerdict } from '#/routes/-verdict.tsx';

interface FormerParkProps {
  parkId: number;
  former: FormerPark;
}

export default function FormerParkRoute({ parkId, former }: FormerParkProps) {
  const { guard, sheet } = useLoginGate();
  const here = useHere().place;
  const friends = useFriendsNow(useSession().status === 'in');
  return (
    <>
      <FormerParkScreen
        former={former}
        near={
          former.park && (
            <ParksNearby
              place={former.park}
              except={parkId}
              here={here}
              friends={friends}
              verdict={(near) => <CardVerdict park={near} />}
              scene={(near) => <Scene place={near.location} dogs={near.live?.dogs_now ?? 0} />}
            />
          )
        }
        reviews={former.park && <ParkReviewsList parkId={parkId} guard={guard} writing={null} />}
      />
      {sheet}
    </>
  );
}
