// The cards of the parks around the map's middle, put together from parks and weather; loaded once the map is usable.
import { useQuery } from '@tanstack/react-query';
import { memo, startTransition, useEffect, useRef, useState } from 'react';
import type { StripSlot } from '#/features/home/components/home-screen.tsx';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { ParkStrip } from '#/features/home/components/park-strip.tsx';
import { StripCard } from '#/features/park-lists/components/strip-card.tsx';
import { useParkLive } from '#/data/parks/park-live.ts';
import { parkQueryOptions } from '#/data/parks/park.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { distanceBetween } from '#/core/distance.ts';
import { useSeen } from '#/core/use-seen.ts';
import { Scene } from '#/routes/-scene.tsx';
import { CardVerdict } from '#/routes/-verdict.tsx';
import { useSession } from '#/data/session/session.ts';
import { faceOf } from '#/data/friends-there.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { MarkerFace } from '#/map/marker-element.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { parkSource } from '#/map/park-source.ts';
import { useHere } from '#/platform/here.ts';

/** Cards in the strip: people swipe through no more. */
const CARDS = 12;

interface StripProps extends StripSlot {
  /** The parks that the filters leave; null where none is on. */
  only: readonly number[] | null;
}

export default function Strip(props: StripProps) {
  const { map, around, only, selected, onSelect, onPoint } = props;
  useFaces(map);
  const [parks, setParks] = useState<readonly MapPark[]>([]);
  const { lat, long } = around;
  const language = useLanguage();
  useEffect(() => {
    let current = true;
    clusterClient().load(parkSource(language));
    void clusterClient()
      .nearest({ lat, long }, CARDS, true)
      .then((nearest) => {
        // A dozen cards at once would block a drag of the map.
        if (current) startTransition(() => setParks((known) => withKnown(nearest, known)));
      });
    return () => {
      current = false;
    };
  }, [lat, long, only, language]);
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

/** Parks of whom nothing changed are the same objects as before, so that their cards are not drawn again. */
function withKnown(parks: readonly MapPark[], known: readonly MapPark[]): MapPark[] {
  const texts = new Map(known.map((park) => [JSON.stringify(park), park]));
  return parks.map((park) => texts.get(JSON.stringify(park)) ?? park);
}

/** Friends' dogs by the park where they are, for its pin. */
function useFaces(map: ParkMap): void {
  const t = useT();
  const friends = useFriendsNow(useSession().status === 'in');
  useEffect(() => {
    const faces = new Map<number, MarkerFace>();
    for (const friend of friends) {
      if (faces.has(friend.park_id)) continue;
      const here = friends.filter(({ park_id }) => park_id === friend.park_id);
      const shown = here.find((each) => faceOf(each) !== null) ?? friend;
      faces.set(friend.park_id, {
        src: faceOf(shown),
        words: t('parks.live.friends', { count: here.length, name: shown.name }),
      });
    }
    map.setFaces(faces);
  }, [t, friends, map]);
}

/** Does not ask anew when another park is chosen: a tap on a pin would wait for all cards. */
const Card = memo(function Card({ park }: { park: MapPark }) {
  const ref = useRef<HTMLSpanElement>(null);
  const seen = useSeen(ref);
  const { place } = useHere();
  const facts = useQuery({ ...parkQueryOptions(park.id), enabled: seen });
  const live = useParkLive().data;
  const friends = useFriendsNow(useSession().status === 'in');
  // The counts name only parks with dogs; without an answer the number is unknown.
  const dogs = live ? (live[park.id]?.dogs_now ?? 0) : null;
  return (
    <span ref={ref}>
      <StripCard
        name={park.name}
        photo={facts.data?.primary_photo}
        dogs={dogs}
        distance={place && distanceBetween(place, park.location)}
        rank={park.rank}
        friends={friends.filter(({ park_id }) => park_id === park.id)}
        verdict={<CardVerdict park={park} />}
        scene={<Scene place={park.location} dogs={dogs ?? 0} />}
        hazards={live?.[park.id]?.hazards ?? []}
      />
    </span>
  );
});
