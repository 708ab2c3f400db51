// A card above the map with name, live counts, verdict and rating.
import type { ReactNode } from 'react';
import { HazardChips } from '#/features/park-lists/components/hazard-chips.tsx';
import { Rating } from '#/ui/rating.tsx';
import { FriendsLine } from '#/entities/friendships/friends-line.tsx';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ParkPhoto } from '#/entities/photos/park-photo.tsx';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import type { KnownHazard } from '../../../../../shared/verdict/hazards.ts';
import styles from './strip-card.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface StripCardProps {
  name: string;
  /** Path of the photo in the parks bucket; null without a photo, undefined while loading. */
  photo: string | null | undefined;
  /** The current number of dogs; null if unknown. */
  dogs: number | null;
  /** Metres from the user; null if unknown. */
  distance: number | null;
  rank: number | null;
  friends: readonly FriendThere[];
  /** The verdict, and the reason that distinguishes the park from others. */
  verdict: ReactNode;
  /** The drawing for a park without a photo. */
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
        // Leave the space empty while the photo is loading, because the photo would replace a drawing a moment later.
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
