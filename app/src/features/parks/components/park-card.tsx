// One park in the list: a single large link with photo, name, who is there now, the verdict, and its facts in one quiet line.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedPark } from '#/features/parks/find-parks.ts';
import { FriendsLine } from '#/features/parks/components/friends-line.tsx';
import { ParkFactsLine } from '#/features/parks/components/park-facts.tsx';
import { ParkLiveLine } from '#/features/parks/components/park-live-line.tsx';
import { ParkPhoto } from '#/features/parks/components/park-photo.tsx';
import { Rating } from '#/features/parks/components/rating.tsx';
import type { FriendThere } from '#/data/friends-there.ts';
import styles from './park-card.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-widths.ts';

interface ParkCardProps {
  park: ListedPark;
  eager: boolean;
  /** Of all who are at a park now. */
  friends: readonly FriendThere[];
  /** 'Go now?' in three words. */
  verdict: ReactNode;
  /** Where there is no photo. */
  scene: ReactNode;
}

export function ParkCard({ park, eager, friends, verdict, scene }: ParkCardProps) {
  const { rank } = park;
  return (
    <Link to="/parks/$parkId" params={{ parkId: park.id }} className={styles.card}>
      <ParkPhoto
        path={park.facts?.primary_photo ?? null}
        width={PHOTO_WIDTH.card}
        alt=""
        eager={eager}
        scene={park.facts ? scene : null}
        className={styles.photo}
      />
      <span className={styles.body}>
        <span className={styles.head}>
          <bdi className={styles.name}>{park.name}</bdi>
          {rank !== null && <Rating rank={rank} />}
        </span>
        <ParkLiveLine dogs={park.live && park.live.dogs_now} distance={park.distance} rank={null} />
        <FriendsLine friends={friends.filter(({ park_id }) => park_id === park.id)} />
        {verdict}
        <ParkFactsLine
          facts={park.facts}
          conditions={park.live?.conditions ?? []}
          hazards={park.live?.hazards ?? []}
        />
        <span className={styles.address}>
          <bdi>{park.address}</bdi>
          {park.city !== '' && park.address !== '' && <span aria-hidden> · </span>}
          <bdi>{park.city}</bdi>
        </span>
      </span>
    </Link>
  );
}
