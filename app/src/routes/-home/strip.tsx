// The cards of the parks around the map's middle, put together from parks and weather; loaded once the map is usable.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StripSlot } from '#/features/home/components/home-screen.tsx';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { ParkStrip } from '#/features/home/components/park-strip.tsx';
import { StripCard } from '#/features/parks/components/strip-card.tsx';
import { useParkLive } from '#/features/parks/queries/park-live.ts';
import { parkQueryOptions } from '#/features/parks/queries/park.ts';
import { distanceBetween } from '#/core/distance.ts';
import { useSeen, Verdict } from '#/routes/-verdict.tsx';
import { useSession } from '#/data/session/session.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { useHere } from '#/platform/here.ts';

/** Cards in the strip: as many as somebody swipes through. */
const CARDS = 12;

export default function Strip({ around, selected, onSelect, onPoint }: StripSlot) {
  const [parks, setParks] = useState<readonly MapPark[]>([]);
  const { lat, long } = around;
  useEffect(() => {
    let current = true;
    void clusterClient()
      .nearest({ lat, long }, CARDS)
      .then((nearest) => {
        if (current) setParks(nearest);
      });
    return () => {
      current = false;
    };
  }, [lat, long]);
  if (parks.length === 0) return null;
  return (
    <ParkStrip
      parks={parks}
      selected={selected}
      onSelect={onSelect}
      onPoint={onPoint}
      card={(park) => <Card park={park} />}
    />
  );
}

function Card({ park }: { park: MapPark }) {
  const ref = useRef<HTMLSpanElement>(null);
  const seen = useSeen(ref);
  const { place } = useHere();
  const facts = useQuery({ ...parkQueryOptions(park.id), enabled: seen });
  const live = useParkLive().data;
  const friends = useFriendsNow(useSession().status === 'in');
  return (
    <span ref={ref}>
      <StripCard
        name={park.name}
        photo={facts.data?.primary_photo}
        // The answer names only parks where somebody is; without an answer nobody knows.
        dogs={live ? (live[park.id]?.dogs_now ?? 0) : null}
        distance={place && distanceBetween(place, park.location)}
        rank={park.rank}
        friends={friends.filter(({ park_id }) => park_id === park.id)}
        verdict={<Verdict park={park} />}
      />
    </span>
  );
}
