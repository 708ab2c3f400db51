// What stands at the address of a park that closed for good or was none.
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import type { FormerPark } from '#/features/parks/queries/former-park.ts';
import { FormerParkScreen } from '#/features/parks/components/former-park-screen.tsx';
import { ParkReviewsList } from '#/features/reviews/components/park-reviews-list.tsx';
import { useLoginGate } from '#/data/session/use-login-gate.tsx';
import { useSession } from '#/data/session/session.ts';
import { useHere } from '#/platform/here.ts';
import { Scene } from '#/routes/-scene.tsx';
import { Verdict } from '#/routes/-verdict.tsx';

interface FormerParkProps {
  parkId: number;
  former: FormerPark;
}

export default function FormerParkRoute({ parkId, former }: FormerParkProps) {
  const { guard, sheet } = useLoginGate();
  return (
    <FormerParkScreen
      parkId={parkId}
      former={former}
      here={useHere().place}
      friends={useFriendsNow(useSession().status === 'in')}
      verdict={(near) => <Verdict park={near} />}
      scene={(near) => <Scene place={near.location} dogs={near.live?.dogs_now ?? 0} />}
      reviews={former.park && <ParkReviewsList parkId={parkId} guard={guard} writing={null} />}
    >
      {sheet}
    </FormerParkScreen>
  );
}
