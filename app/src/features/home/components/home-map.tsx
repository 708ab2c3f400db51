// The home map and what floats on it. Search, weather, location and the park's sheet are slots: the screen fills them from other features.
import { LocateFixed, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { rememberCamera, rememberedCamera } from '#/features/home/home-memory.ts';
import { type Found, useDestination } from '#/features/home/use-destination.ts';
import { useMapCover } from '#/features/home/use-map-cover.ts';
import { useParksState } from '#/features/home/use-parks-state.ts';
import { useSelectedPark } from '#/features/home/use-selected-park.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import { type Camera, HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';
import { useElsewhere, useHere } from '#/platform/here.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { useTitle } from '#/ui/use-title.ts';
import { HomeLayout } from './home-layout.tsx';
import noticeStyles from './parks-notice.module.css';

const ParksNotice = lazyPart(
  () => import('#/features/home/components/parks-notice.tsx'),
  PartMissing,
);
const ElsewhereNotice = lazyPart(() => import('#/features/home/components/elsewhere-notice.tsx'));

export interface StripSlot {
  map: ParkMap;
  /** What the map looks at: cards are of the parks around it. */
  around: LatLong;
  selected: number | null;
  onSelect: (park: MapPark) => void;
  /** Looked at; null: no longer. @param isMeant swiped or tabbed to: it is moved to where it can be seen */
  onPoint: (park: MapPark | null, isMeant: boolean) => void;
}

export interface PopupSlot {
  park: MapPark;
  /** Opened from the keyboard: the popup should take the focus. */
  byKeyboard: boolean;
  map: ParkMap;
  close: () => void;
}

interface HomeMapProps {
  /** The key of this entry of the history: going back to it finds the map where it was left. */
  entry: string;
  /** A place that a link asked for. */
  passedIn: LatLong | null;
  /** The selected park's id, as the address has it, so that back closes its popup; null: none. */
  parkId: number | null;
  /** Puts a park into the address, or takes it out. */
  onSelected: (parkId: number | null) => void;
  live: LiveRow[] | undefined;
  /** Called once, when the first markers are drawn: what is not needed before may load now. */
  onReady: () => void;
  location: {
    locating: boolean;
    ask: () => Promise<LatLong | null>;
    askIfUndecided: () => Promise<LatLong | null>;
    explanation: ReactNode;
  };
  search: (go: (place: Found) => void) => ReactNode;
  /** The chips over the map, once it is usable. */
  filters: ReactNode;
  /** How many parks the filters leave, null where none is on; and how to be rid of them. */
  filtered: { count: number; clear: () => void } | null;
  strip: (slot: StripSlot) => ReactNode;
  weather: (place: LatLong) => ReactNode;
  popup: (slot: PopupSlot) => ReactNode;
  tools: (map: ParkMap) => ReactNode;
}

export function HomeMap(props: HomeMapProps) {
  const { entry, passedIn, parkId, onSelected, live, onReady, location } = props;
  const { search, filters, filtered, strip, weather, popup } = props;
  const t = useT();
  useTitle(t('home.title'));
  const parks = useParksState(live);
  const here = useHere();
  const elsewhere = useElsewhere();
  const [map, setMap] = useState<ParkMap | null>(null);
  /** Parks on the map, in clusters or alone; null before the first answer. */
  const [drawn, setDrawn] = useState<number | null>(null);
  const ready = drawn !== null;
  /** What the cards are around. */
  const [middle, setMiddle] = useState<LatLong | null>(null);
  const [isNewVisit] = useState(() => rememberedCamera(entry) === null && !passedIn);
  const [linkedTo] = useState(isNewVisit ? parkId : null);
  const { selected, select, close, isChosen } = useSelectedPark({
    map,
    ready,
    parkId,
    linkedTo,
    onSelected,
  });
  const { anchor, go, fitAround, sentTo, isStillThere } = useDestination({
    map,
    entry,
    passedIn,
    onPark: select,
    onPlace: (next) => setMiddle(next),
  });
  const place = selected?.park.location;
  const { ref, uncoverDestination } = useMapCover({
    map,
    selected: place,
    sentTo,
  });
  const [start] = useState<Camera>(
    () => rememberedCamera(entry) ?? { center: anchor, zoom: HOME_ZOOM },
  );
  useEffect(() => {
    if (map) rememberCamera(entry, map.camera());
  }, [map, entry]);

  function onItems(items: readonly MapItem[]): void {
    setDrawn(items.length);
    if (ready) return;
    setMiddle((known) => known ?? start.center);
    onReady();
  }

  // The first parks may be drawn before this screen has the map.
  const lookAround = useEffectEvent(async () => {
    // A link to a park looks at that, wherever the person is.
    if (!isNewVisit || linkedTo !== null) return;
    if (!elsewhere) void fitAround(start.center);
    const own = await location.askIfUndecided();
    if (!own || elsewhere) return;
    go(own);
    void fitAround(own);
  });
  useEffect(() => {
    if (map && ready) void lookAround();
  }, [map, ready]);

  function onMove(camera: Camera, meant: boolean): void {
    rememberCamera(entry, camera);
    if (meant && isStillThere(camera)) uncoverDestination();
    if (meant) startTransition(() => setMiddle(camera.center));
  }

  async function recentre(): Promise<void> {
    const own = await location.ask();
    if (own) go(own);
  }

  async function showNearest(): Promise<void> {
    const [park] = await clusterClient().nearest(map?.camera().center ?? anchor, 1, true);
    if (park) map?.look({ center: park.location, zoom: HOME_ZOOM });
  }

  const isWrong =
    parks.state === 'failed' ||
    (parks.state === 'ready' && (parks.count === 0 || drawn === 0 || filtered?.count === 0));

  function onKeyDown(event: KeyboardEvent): void {
    // In a dialog the key closes that alone.
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key === 'Escape' && selected && !inDialog && !event.defaultPrevented) close();
  }

  /** One at a time: the first of these that has something to show. */
  function notice(): ReactNode {
    if (selected) return map && popup({ ...selected, map, close });
    if (parks.state === 'loading')
      return (
        <p className={noticeStyles.notice} role="status" aria-busy>
          <Skeleton width="24px" height="24px" round />
          {t('home.loading')}
        </p>
      );
    const isElsewhere = elsewhere && parks.state === 'ready' && parks.count > 0;
    if (isElsewhere && filtered?.count !== 0)
      return <ElsewhereNotice key={elsewhere.label} place={elsewhere} />;
    if (isWrong)
      return (
        <ParksNotice
          parks={parks}
          drawn={drawn}
          filtered={filtered}
          onNearest={() => void showNearest()}
        />
      );
    return location.explanation;
  }

  return (
    <HomeLayout
      ref={ref}
      onKeyDown={onKeyDown}
      title={t('home.title')}
      top={
        <>
          {search(go)}
          {ready && weather(anchor)}
        </>
      }
      filters={ready && filters}
      map={
        <MapView
          camera={start}
          label={t('home.map')}
          keys={t('map.keys')}
          parks="withDogs"
          selected={selected?.park.id ?? null}
          here={here.place}
          pin={elsewhere}
          onMap={setMap}
          onPark={(park) => (isChosen(park.id) ? close() : select(park))}
          onPlace={(place) => (selected ? close() : map?.moveTo(place))}
          onMove={onMove}
          onItems={(items) => void onItems(items)}
        />
      }
      notice={notice()}
      isCardsBehind={selected !== null || filtered?.count === 0}
      cards={
        middle &&
        map &&
        strip({
          map,
          around: middle,
          selected: selected?.park.id ?? null,
          onSelect: select,
          onPoint: (park, isMeant) => {
            map.point(park?.id ?? null);
            if (park && isMeant) map.reveal(park.location);
          },
        })
      }
      zoom={
        <>
          <IconButton
            variant="raised"
            icon={Plus}
            label={t('home.zoomIn')}
            onClick={() => map?.zoomBy(1)}
          />
          <IconButton
            variant="raised"
            icon={Minus}
            label={t('home.zoomOut')}
            onClick={() => map?.zoomBy(-1)}
          />
        </>
      }
      tools={
        <>
          {ready && map && props.tools(map)}
          {/* The one that is needed most lies nearest to the thumb. */}
          <IconButton
            variant="raised"
            icon={LocateFixed}
            label={t('home.recentre')}
            aria-busy={location.locating}
            onClick={() => void recentre()}
          />
        </>
      }
    />
  );
}
