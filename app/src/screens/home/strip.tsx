// The cards of the parks around the map's middle, the best first, put together from parks, people and weather; loaded once the map is usable.
import { useQueries } from '@tanstack/react-query';
import { memo, startTransition, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { StripSlot } from '#/features/home/components/home-map.tsx';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { ParkStrip } from '#/features/home/components/park-strip.tsx';
import { type ParkOrder, rememberOrder, usedOrder } from '#/features/park-lists/park-order.ts';
import { StripCard } from '#/features/park-lists/components/strip-card.tsx';
import { StripHead } from '#/features/park-lists/components/strip-head.tsx';
import { ApartLine } from '#/features/verdicts/components/apart-line.tsx';
import { SharedLine } from '#/features/verdicts/components/shared-line.tsx';
import { VerdictLine } from '#/features/verdicts/components/verdict-line.tsx';
import { isSaidOnce, type Ranked, sharedOf } from '#/features/verdicts/ranking.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { chooseHour, useMoment } from '#/core/chosen-hour.ts';
import { formatHour, parkHour } from '#/core/park-time.ts';
import { usualAt } from '#/features/verdicts/verdict.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import type { Best } from '#/screens/home/now-line.tsx';
import { useBest } from '#/screens/shared/best.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { useSession } from '#/data/session/session.ts';
import { faceOf } from '#/entities/friendships/friends-there.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapPark } from '#/map/cluster-protocol.ts';
import type { MarkerFace } from '#/map/marker-element.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { factsOf } from '#/entities/parks/listed-facts.ts';
import { useStart } from '#/platform/here.ts';
import { Chip } from '#/ui/chip.tsx';

/** Cards in the strip: people swipe through no more. */
const CARDS = 12;

interface StripProps extends StripSlot {
  /** The parks that the filters leave; null where none is on. */
  only: readonly number[] | null;
  onBest: (best: Best | null) => void;
  /** Gets how many dogs are usually there at the hour that was chosen; null: now. */
  onUsual: (rows: LiveRow[] | null) => void;
}

/** A park in its place in the order, with what is said of it. */
interface Shown {
  parks: readonly MapPark[];
  best: ReadonlyMap<number, Ranked>;
  photos: ReadonlyMap<number, string | null>;
  /** Dogs that are usually there at the hour, where that is known. */
  usual: LiveRow[];
}

export default function Strip(props: StripProps) {
  const { map, around, only, selected, onSelect, onPoint, onBest, onUsual } = props;
  const myParkId = useMyVisit()?.park_id;
  useFaces(map, myParkId);
  const [nearest, setNearest] = useState<readonly MapPark[]>([]);
  const [order, setOrder] = useState(usedOrder);
  const { lat, long } = around;
  const language = useLanguage();
  useEffect(() => {
    let current = true;
    clusterClient().load();
    void clusterClient()
      .nearest({ lat, long }, CARDS, true)
      .then((found) => {
        // A dozen cards at once would block a drag of the map.
        if (current) startTransition(() => setNearest((known) => withKnown(found, known)));
      });
    return () => {
      current = false;
    };
  }, [lat, long, only, language]);
  const { shown, hasForecast } = useShown(nearest, order, props);

  useLayoutEffect(() => {
    const [first] = shown.best.values();
    const park = shown.parks.find(({ id }) => id === first?.id);
    onBest(first && park ? { ...first, park } : null);
  }, [shown, onBest]);
  const { moment, isNow } = useMoment();
  const locale = useLocale();
  useEffect(() => onUsual(isNow ? null : shown.usual), [isNow, shown, onUsual]);
  useEffect(() => () => onUsual(null), [onUsual]);

  const verdicts = shown.parks.map(({ id }) => shown.best.get(id)?.verdict ?? null);
  const shared = sharedOf(verdicts);
  return (
    <ParkStrip
      head={
        <StripHead
          order={order}
          hour={isNow ? null : formatHour(parkHour(new Date(moment)).hour, locale)}
          onNow={() => chooseHour(null)}
          onOrder={(next: ParkOrder) => {
            rememberOrder(next);
            setOrder(next);
          }}
        >
          <SharedLine {...shared} noForecast={hasForecast === false} />
        </StripHead>
      }
      parks={shown.parks}
      selected={selected}
      onSelect={onSelect}
      onPoint={onPoint}
      card={(park) => (
        <Card
          park={park}
          photo={shown.photos.get(park.id)}
          best={shown.best.get(park.id)}
          isShared={isSaidOnce(shown.best.get(park.id)?.verdict, shared)}
          isHere={park.id === myParkId}
        />
      )}
    />
  );
}

const NOTHING: Shown = { parks: [], best: new Map(), photos: new Map(), usual: [] };

/** The parks in the order that was asked for; those before while what decides it is on its way. */
function useShown(nearest: readonly MapPark[], order: ParkOrder, { around }: StripProps) {
  const place = useStart();
  const { rank, isComing, hasForecast } = useBest({
    around,
    from: place ?? around,
    nearest: useNearestPark(place),
  });
  const cards = useQueries({
    queries: nearest.map(({ id }) => parkCardQueryOptions(id)),
    combine: (results) => ({
      isComing: results.some(({ isPending }) => isPending),
      data: results.map(({ data }) => data),
    }),
  });
  const { hour, dayKind } = parkHour(new Date(useMoment().moment));
  const isReady = !isComing && !cards.isComing;
  const ranked = useMemo((): Shown | null => {
    if (!isReady) return null;
    const best = rank(
      nearest.map((park, at) => ({
        ...park,
        facts: factsOf(park.known),
        busyHours: cards.data[at]?.busyHours,
      })),
    );
    const byId = new Map(nearest.map((park) => [park.id, park]));
    const parks =
      order === 'best'
        ? best.flatMap(({ id }) => byId.get(id) ?? [])
        : order === 'rank'
          ? [...nearest].sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0))
          : nearest;
    return {
      parks,
      best: new Map(best.map((each) => [each.id, each])),
      photos: new Map(nearest.map(({ id }, at) => [id, cards.data[at]?.photo ?? null])),
      usual: nearest.flatMap(({ id }, at) => {
        const dogs = usualAt(cards.data[at]?.busyHours ?? [], dayKind, hour);
        return dogs !== null && dogs >= 0.5 ? [{ id, dogs: Math.round(dogs) }] : [];
      }),
    };
  }, [isReady, rank, nearest, cards.data, order, hour, dayKind]);
  const [shown, setShown] = useState(NOTHING);
  if (ranked && ranked !== shown) setShown(ranked);
  return { shown: ranked ?? shown, hasForecast };
}

/** ID of the park nearest to a place, of all parks; null while unknown. */
function useNearestPark(place: LatLong | null): number | null {
  const [found, setFound] = useState<{ id: number; from: LatLong } | null>(null);
  useEffect(() => {
    if (!place) return undefined;
    let current = true;
    void clusterClient()
      .nearest(place, 1)
      .then(([park]) => current && setFound(park ? { id: park.id, from: place } : null));
    return () => {
      current = false;
    };
  }, [place]);
  return found && found.from === place ? found.id : null;
}

/** Parks of whom nothing changed are the same objects as before, so that their cards are not drawn again. */
function withKnown(parks: readonly MapPark[], known: readonly MapPark[]): MapPark[] {
  const texts = new Map(known.map((park) => [JSON.stringify(park), park]));
  return parks.map((park) => texts.get(JSON.stringify(park)) ?? park);
}

/** Friends' dogs by the park where they are, for its pin; and the person. */
function useFaces(map: ParkMap, myParkId: number | undefined): void {
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
    if (myParkId !== undefined) {
      const { src = null, words } = faces.get(myParkId) ?? {};
      const here = t('checkIns.here.title');
      faces.set(myParkId, { src, words: words ? `${here}. ${words}` : here, isOwn: true });
    }
    map.setFaces(faces);
  }, [t, friends, map, myParkId]);
}

interface CardProps {
  park: MapPark;
  photo: string | null | undefined;
  best: Ranked | undefined;
  /** Its verdict is said above the strip. */
  isShared: boolean;
  isHere: boolean;
}

/** Does not ask anew when another park is chosen: a tap on a pin would wait for all cards. */
const Card = memo(function Card({ park, photo, best, isShared, isHere }: CardProps) {
  const t = useT();
  const place = useStart();
  const live = useParkLive().data;
  const friends = useFriendsNow(useSession().status === 'in');
  // The counts name only parks with dogs; without an answer the number is unknown.
  const { isNow } = useMoment();
  const dogs = live && isNow ? (live[park.id]?.dogs_now ?? 0) : null;
  return (
    <StripCard
      name={park.name}
      photo={photo}
      dogs={dogs}
      distance={place && distanceBetween(place, park.location)}
      rank={park.rank}
      friends={isNow ? friends.filter(({ park_id }) => park_id === park.id) : []}
      verdict={
        <>
          {isHere && <Chip tone="park">{t('checkIns.here.title')}</Chip>}
          {best?.verdict && !isShared && <VerdictLine verdict={best.verdict} />}
          {best?.apart && <ApartLine apart={best.apart} />}
        </>
      }
      scene={<Scene place={park.location} dogs={dogs ?? 0} />}
      hazards={live?.[park.id]?.hazards ?? []}
    />
  );
});
