// The home map and its controls. The screen passes in search, weather, location and the park's sheet.
import { LocateFixed, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { homeNotice } from '#/features/home/home-notice.ts';
import { rememberCamera, rememberedCamera } from '#/features/home/home-memory.ts';
import { type Found, useDestination } from '#/features/home/use-destination.ts';
import { useMapCover } from '#/features/home/use-map-cover.ts';
import { useParksState } from '#/features/home/use-parks-state.ts';
import { useSelectedPark } from '#/features/home/use-selected-park.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { HOME_ZOOM } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import type { Camera, ParkMap } from '#/map/park-map.ts';
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
const NoParks = lazyPart(() => import('#/features/home/components/no-parks.tsx'), PartMissing);
const ElsewhereNotice = lazyPart(() => import('#/features/home/components/elsewhere-notice.tsx'));

export interface StripSlot {
  map: ParkMap;
  /** False if the map cannot show its tiles. The screen then does not also report a missing forecast. */
  hasTiles: boolean;
  /** The centre of the map; the cards are parks around it. */
  around: LatLong;
  selected: number | null;
  onSelect: (park: MapPark) => void;
  /**
   * Highlights a park; null removes the highlight. @param isMeant true if the user swiped or tabbed to the park, so the map moves
   * to make it visible
   */
  onPoint: (park: MapPark | null, isMeant: boolean) => void;
}

export interface PopupSlot {
  park: MapPark;
  /** True if the popup was opened with the keyboard and therefore takes the focus. */
  byKeyboard: boolean;
  map: ParkMap;
  close: () => void;
}

interface HomeMapProps {
  /** Key of the current history entry, for which the map's position is saved. */
  entry: string;
  /** The place from the link's query parameters. */
  passedIn: LatLong | null;
  /** ID of the selected park in the URL, so that the back button closes its popup; null if none is selected. */
  parkId: number | null;
  /** Sets or removes the park in the URL. */
  onSelected: (parkId: number | null) => void;
  live: LiveRow[] | undefined;
  /** Called once, after the first markers have been drawn, when less urgent parts may be loaded. */
  onReady: () => void;
  location: {
    locating: boolean;
    ask: () => Promise<LatLong | null>;
    askIfUndecided: () => Promise<LatLong | null>;
  };
  /** Shown above the cards unless there is a notice. */
  intro: ReactNode;
  search: (go: (place: Found) => void) => ReactNode;
  /** The chips above the map, rendered once the map is usable. */
  filters: ReactNode;
  /** The number of parks that match the filters, and a function that clears them; null without filters. */
  filtered: { count: number; clear: () => void } | null;
  strip: (slot: StripSlot) => ReactNode;
  weather: (place: LatLong) => ReactNode;
  popup: (slot: PopupSlot) => ReactNode;
  tools: (map: ParkMap) => ReactNode;
}

export function HomeMap(props: HomeMapProps) {
  const { entry, passedIn, parkId, onSelected, live, onReady, location } = props;
  const { intro, search, filters, filtered, strip, weather, popup } = props;
  const t = useT();
  useTitle(t('home.title'));
  const parks = useParksState(live);
  const here = useHere();
  const elsewhere = useElsewhere();
  const [map, setMap] = useState<ParkMap | null>(null);
  /** The number of markers and clusters on the map; null before the first response. */
  const [drawn, setDrawn] = useState<number | null>(null);
  const ready = drawn !== null;
  const [hasTiles, setHasTiles] = useState(true);
  /** The centre around which the cards are chosen; null until it is known. */
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
  const place = selected?.park.location;
  const { anchor, go, fitAround, sentTo, isStillThere } = useDestination({
    map,
    entry,
    passedIn,
    selected: place,
    onPark: select,
    onPlace: (next) => setMiddle(next),
  });
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

  // The position can take seconds. Meanwhile the user may have chosen a park or another place.
  const goHome = useEffectEvent((own: LatLong) => {
    if (selected || elsewhere) return;
    go(own);
    void fitAround(own);
  });

  // Runs once both the map and the first parks are ready. The parks may be drawn before this component has the map.
  const lookAround = useEffectEvent(async () => {
    // A link to a park shows that park, wherever the user is.
    if (!isNewVisit || linkedTo !== null) return;
    if (!elsewhere) void fitAround(start.center);
    const own = await location.askIfUndecided();
    if (own) goHome(own);
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

  function onKeyDown(event: KeyboardEvent): void {
    // In a dialog, Escape closes only the dialog.
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key === 'Escape' && selected && !inDialog && !event.defaultPrevented) close();
  }

  const notice = homeNotice({
    isParkSelected: selected !== null,
    parks,
    isElsewhere: elsewhere !== null,
    drawn,
    matching: filtered && filtered.count,
    hasIntro: Boolean(intro),
  });

  function renderNotice(): ReactNode {
    if (notice === null || notice === 'intro') return null;
    if (notice === 'park') return selected && map && popup({ ...selected, map, close });
    if (notice === 'elsewhere')
      return elsewhere && <ElsewhereNotice key={elsewhere.label} place={elsewhere} />;
    if (notice === 'loading')
      return (
        <p className={noticeStyles.notice} role="status" aria-busy>
          <Skeleton width="24px" height="24px" round />
          {t('home.loading')}
        </p>
      );
    return (
      <ParksNotice
        problem={notice}
        onClearFilters={() => filtered?.clear()}
        onNearest={() => void showNearest()}
      />
    );
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
          onTiles={setHasTiles}
          onPark={(park) => (isChosen(park.id) ? close() : select(park))}
          onPlace={(place) => (selected ? close() : map?.moveTo(place))}
          onMove={onMove}
          onItems={(items) => void onItems(items)}
        />
      }
      notice={renderNotice()}
      isCardsBehind={selected !== null || filtered?.count === 0}
      intro={notice === 'intro' && intro}
      isListFirst={!hasTiles}
      cards={
        parks.state === 'failed' || (parks.state === 'ready' && parks.count === 0) ? (
          <NoParks hasFailed={parks.state === 'failed'} />
        ) : (
          middle &&
          map &&
          strip({
            map,
            around: middle,
            hasTiles,
            selected: selected?.park.id ?? null,
            onSelect: select,
            onPoint: (park, isMeant) => {
              map.point(park?.id ?? null);
              if (park && isMeant) map.reveal(park.location);
            },
          })
        )
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
          {/* The most frequently used button is closest to the thumb. */}
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
