// A park in the list: photo, name, live counts, verdict and facts. The link covers the whole card.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import { FriendsLine } from '#/entities/friendships/friends-line.tsx';
import { ParkFactsLine } from '#/features/park-lists/components/park-facts-line.tsx';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ParkPhoto } from '#/entities/photos/park-photo.tsx';
import { Rating } from '#/ui/rating.tsx';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { useSeen } from '#/core/use-seen.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import { classNames } from '#/ui/class-names.ts';
import styles from './park-card.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface ParkCardProps {
  park: ListedPark;
  eager: boolean;
  friends: readonly FriendThere[];
  /** The short verdict on whether to go now. */
  verdict: ReactNode;
  /** The drawing for a park without a photo. */
  scene: ReactNode;
}

export function ParkCard({ park, eager, friends, verdict, scene }: ParkCardProps) {
  const { rank, reviews } = park;
  const ref = useRef<HTMLDivElement>(null);
  const seen = useSeen(ref);
  const card = useQuery({ ...parkCardQueryOptions(park.id), enabled: seen });
  return (
    <div ref={ref} className={styles.card}>
      <ParkPhoto
        path={card.data?.photo ?? null}
        width={PHOTO_WIDTH.card}
        alt=""
        eager={eager}
        scene={card.isPending ? null : scene}
        className={styles.photo}
      />
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 className={styles.name}>
            <Link
              to="/parks/$parkId"
              params={{ parkId: park.id }}
              className={classNames('stretched-link', styles.link)}
            >
              <bdi>{park.name}</bdi>
            </Link>
          </h2>
          {rank !== null && <Rating rank={rank} count={reviews} />}
        </div>
        <ParkLiveLine dogs={park.live && park.live.dogs_now} distance={park.distance} rank={null} />
        <FriendsLine friends={friends.filter(({ park_id }) => park_id === park.id)} />
        {verdict}
        <ParkFactsLine
          facts={park.facts}
          conditions={park.live?.conditions ?? []}
          hazards={park.live?.hazards ?? []}
        />
        <span className="small-note one-line">
          <bdi>{park.address}</bdi>
          {park.city !== '' && park.address !== '' && ' · '}
          <bdi>{park.city}</bdi>
        </span>
      </div>
    </div>
  );
}
