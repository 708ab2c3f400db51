// The content of a card above the map: name, live counts, verdict, rating. The verdict is a slot.
import type { ReactNode } from 'react';
import { HazardChips } from '#/features/park-lists/components/hazard-chips.tsx';
import { Rating } from '#/ui/rating.tsx';
import { FriendsLine } from '#/entities/friendships/friends-line.tsx';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ParkPhoto } from '#/entities/photos/park-photo.tsx';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import type { KnownHazard } from '../../../../../shared/verdict/hazards.ts';
import styles from './strip-card.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-widths.ts';

interface StripCardProps {
  name: string;
  /** Object path in the parks bucket; null if there is none, undefined while loading. */
  photo: string | null | undefined;
  /** Dogs there now; null if unknown. */
  dogs: number | null;
  /** Metres from the user, or null. */
  distance: number | null;
  rank: number | null;
  friends: readonly FriendThere[];
  /** The verdict, and the reason that distinguishes the park. */
  verdict: ReactNode;
  /** Shown if the park has no photo. */
  scene: ReactNode;
  hazards: readonly KnownHazard[];
}

export function StripCard(props: StripCardProps) {
  const { name, photo, dogs, distance, rank, friends, verdict, scene, hazards } = props;
  return (
    <span className={styles.card}>
      <ParkPhoto
        path={photo ?? null}
        width={PHOTO_WIDTH.thumb}
        alt=""
        eager
        // While the photo is loading, leave the space empty: a drawing would be replaced a moment later.
        scene={photo === undefined ? null : scene}
        className={styles.photo}
      />
      <span className={styles.body}>
        <span className={styles.head}>
          <bdi className={styles.name}>{name}</bdi>
          {rank !== null && <Rating rank={rank} />}
        </span>
        <ParkLiveLine dogs={dogs} distance={distance} rank={null} />
        <FriendsLine friends={friends} />
        <span className={styles.reasons}>{verdict}</span>
        <HazardChips hazards={hazards.slice(0, 1)} />
      </span>
    </span>
  );
}
