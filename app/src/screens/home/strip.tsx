// The cards of parks around the map's centre, the best first. Composes parks, users and weather; loaded once the map is usable.
import { useQueries } from '@tanstack/react-query';
import {
  memo,
  startTransition,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { LatLong } from '#/core/distance.ts';
import { formatHour, parkHour } from '../../../../shared/park-time.ts';
import { chooseHour, useShownTime } from '#/core/shown-time.ts';
import { avatarOf } from '#/entities/friendships/friends-there.ts';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { useSession } from '#/data/session/session.ts';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import type { StripSlot } from '#/features/home/components/home-map.tsx';
import { ParkStrip } from '#/features/home/components/park-strip.tsx';
import { useParksLoaded } from '#/features/home/use-parks-state.ts';
import { StripCard } from '#/features/park-lists/components/strip-card.tsx';
import { StripHead } from '#/features/park-lists/components/strip-head.tsx';
import type { ParkOrder } from '#/features/park-lists/park-order.ts';
import { HighlightLine } from '#/features/verdicts/components/highlight-line.tsx';
import { SharedLine } from '#/features/verdicts/components/shared-line.tsx';
import { VerdictLine } from '#/features/verdicts/components/verdict-line.tsx';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapPark } from '#/map/cluster-protocol.ts';
import type { MarkerAvatar } from '#/map/marker-element.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { useStart } from '#/platform/here.ts';
import { homeContent, type ShownPark } from '#/screens/home/home-content.ts';
import { useRankingSnapshot } from '#/screens/shared/use-ranking-snapshot.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { Chip } from '#/ui/chip.tsx';

/** Number of cards in the strip, because users rarely swipe further. */
const CARDS = 12;
/** After this time, parks are ranked even if data is still loading. */
const MAX_WAIT_MS = 800;

interface StripProps extends StripSlot {
  /** IDs of the parks that match the filters; null without filters. */
  only: readonly number[] | null;
  order: ParkOrder;
  onBest: (best: MapPark | null) => void;
  /** Called with the usual number of dogs at the chosen hour; null for the current hour. */
  onUsual: (rows: LiveRow[] | null) => void;
}

export default function Strip(props: StripProps) {
  const { map, around, only, order, selected, onSelect, onPoint, onBest, onUsual } = props;
  const myParkId = useMyVisit()?.park_id;
  useAvatars(map, myParkId);
  const { content, hasForecast } = useHomeContent(props);

  useLayoutEffect(() => onBest(content.best?.park ?? null), [content, onBest]);
  const shownTime = useShownTime();
  // Deferred like the content, so that both change in the same render.
  const timestamp = useDeferredValue(shownTime.timestamp);
  const isNow = useDeferredValue(shownTime.isNow);
  const locale = useLocale();
  useEffect(() => onUsual(isNow ? null : content.usual), [isNow, content, onUsual]);
  useEffect(() => () => onUsual(null), [onUsual]);
  const hasCards = content.parks.length > 0;
  useEffect(() => {
    if (hasCards) performance.mark('cards-ready');
  }, [hasCards]);

  return (
    <ParkStrip
      head={
        <StripHead
          hour={isNow ? null : formatHour(parkHour(new Date(timestamp)).hour, locale)}
          onNow={() => chooseHour(null)}
        >
          <SharedLine
            {...content.shared}
            noForecast={hasForecast === false && props.hasTiles}
            hasRainBadge={isNow}
          />
        </StripHead>
      }
      choice={`${around.lat} ${around.long} ${order} ${String(only)}`}
      parks={content.parks}
      selected={selected}
      onSelect={onSelect}
      onPoint={onPoint}
      card={(park) => <Card shown={park} isHere={park.id === myParkId} />}
    />
  );
}

/** Returns the content for the current data, or briefly the previous one while decisive data is loading. */
function useHomeContent({ around, only, order }: StripProps) {
  const place = useStart();
  const nearby = useParksNear(around, CARDS, only)?.parks ?? NO_PARKS;
  const found = useParksNear(place, 1, null);
  const { snapshot, isLoading, hasForecast } = useRankingSnapshot({
    around,
    from: place ?? around,
    isLocated: place !== null,
    nearest: (found?.from === place && found?.parks[0]?.id) || null,
    parks: nearby,
  });
  const cards = useQueries({
    queries: nearby.map(({ id }) => parkCardQueryOptions(id)),
    combine: (results) => ({
      isLoading: results.some(({ isPending }) => isPending),
      data: results.map(({ data }) => data),
    }),
  });
  const isReady = !isLoading && !cards.isLoading;
  const isLate = useIsLate(nearby, isReady);
  const inputs = useMemo(
    () => (isReady || isLate ? ([snapshot, nearby, cards.data] as const) : null),
    [isReady, isLate, snapshot, nearby, cards.data],
  );
  // Each response causes a synchronous render, in which ranking and a dozen new cards would delay a tap. React renders a deferred
  // value in slices that a tap can interrupt.
  const deferred = useDeferredValue(inputs);
  const current = useMemo(() => deferred && homeContent(...deferred, order), [deferred, order]);
  const [content, setContent] = useState(() => homeContent(snapshot, [], [], order));
  if (current && current !== content) setContent(current);
  return { content: current ?? content, hasForecast };
}

/** Returns whether these parks have waited for MAX_WAIT_MS. */
function useIsLate(parks: readonly MapPark[], isReady: boolean): boolean {
  const [late, setLate] = useState<readonly MapPark[] | null>(null);
  useEffect(() => {
    if (isReady) return undefined;
    const timer = setTimeout(() => setLate(parks), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [parks, isReady]);
  return late === parks;
}

const NO_PARKS: readonly MapPark[] = [];

/** Returns the parks nearest to a place, and those of the previous place while loading. @param only IDs that match the filters */
function useParksNear(
  place: LatLong | null,
  count: number,
  only: readonly number[] | null,
): { from: LatLong; parks: readonly MapPark[] } | null {
  const language = useLanguage();
  const list = useParksLoaded();
  const [found, setFound] = useState<{ from: LatLong; parks: readonly MapPark[] } | null>(null);
  useEffect(() => {
    if (!place) return undefined;
    let current = true;
    void clusterClient()
      .nearest(place, count, only !== null)
      .then((parks) => {
        // Render in a transition, because rendering a dozen cards synchronously would block dragging the map.
        if (current)
          startTransition(() =>
            setFound((known) => ({ from: place, parks: withKnown(parks, known?.parks ?? []) })),
          );
      });
    return () => {
      current = false;
    };
  }, [place, count, only, language, list]);
  return found;
}

/** Reuses the objects of unchanged parks, so that their cards do not re-render. */
function withKnown(parks: readonly MapPark[], known: readonly MapPark[]): readonly MapPark[] {
  const texts = new Map(known.map((park) => [JSON.stringify(park), park]));
  const next = parks.map((park) => texts.get(JSON.stringify(park)) ?? park);
  return next.length === known.length && next.every((park, at) => park === known[at])
    ? known
    : next;
}

/** Shows friends' dogs and the user on the pins of their parks. */
function useAvatars(map: ParkMap, myParkId: number | undefined): void {
  const t = useT();
  const friends = useFriendsNow(useSession().status === 'in');
  useEffect(() => {
    const avatars = new Map<number, MarkerAvatar>();
    for (const friend of friends) {
      if (avatars.has(friend.park_id)) continue;
      const here = friends.filter(({ park_id }) => park_id === friend.park_id);
      const shown = here.find((each) => avatarOf(each) !== null) ?? friend;
      avatars.set(friend.park_id, {
        src: avatarOf(shown),
        label: t('parks.live.friends', { count: here.length, name: shown.name }),
      });
    }
    if (myParkId !== undefined) {
      const { src = null, label } = avatars.get(myParkId) ?? {};
      const here = t('checkIns.here.title');
      avatars.set(myParkId, { src, label: label ? `${here}. ${label}` : here, isOwn: true });
    }
    map.setAvatars(avatars);
  }, [t, friends, map, myParkId]);
}

/** Memoised, because a tap on a pin would otherwise wait for all cards to render. */
const Card = memo(function Card({ shown, isHere }: { shown: ShownPark; isHere: boolean }) {
  const t = useT();
  const { park, photo, dogs, distance, friends, verdict, highlight, hazards, isShared } = shown;
  return (
    <StripCard
      name={park.name}
      photo={photo}
      dogs={dogs}
      distance={distance}
      rank={park.rank}
      friends={friends}
      verdict={
        <>
          {isHere && <Chip tone="park">{t('checkIns.here.title')}</Chip>}
          {verdict && !isShared && <VerdictLine verdict={verdict} />}
          {highlight && <HighlightLine highlight={highlight} />}
        </>
      }
      scene={<Scene place={park.location} dogs={dogs ?? 0} />}
      hazards={hazards}
    />
  );
});
