// Parks as cards, in the given order.
import type { ReactNode } from 'react';
import { ParkCard } from '#/features/park-lists/components/park-card.tsx';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import styles from './park-cards.module.css';

export interface ParkCardsParts {
  friends: readonly FriendThere[];
  verdict: (park: ListedPark) => ReactNode;
  /** Renders the drawing on the card of a park without a photo. */
  scene: (park: ListedPark) => ReactNode;
}

interface ParkCardsProps extends ParkCardsParts {
  parks: readonly ListedPark[];
}

export const ParkCards = ({ parks, friends, verdict, scene }: ParkCardsProps) => (
  <ul className={styles.list}>
    {parks.map((park, index) => (
      <li key={park.id} className={styles.item}>
        <ParkCard
          park={park}
          eager={index < 4}
          friends={friends}
          verdict={verdict(park)}
          scene={scene(park)}
        />
      </li>
    ))}
  </ul>
);
