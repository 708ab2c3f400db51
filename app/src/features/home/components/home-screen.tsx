// The home map and what floats on it. Search, weather, location and the park's popup are slots: the route fills them from other features.
import { List, LocateFixed, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { ParksNotice } from '#/features/home/components/parks-notice.tsx';
import { rememberCamera, rememberedCamera } from '#/features/home/home-memory.ts';
import { useMarkerLabels } from '#/features/home/use-marker-labels.ts';
import { useParksState } from '#/features/home/use-parks-state.ts';
import { useT } from '#/i18n/i18n.ts';
import { afterPaint } from '#/core/after-paint.ts';
import type { LatLong } from '#/core/distance.ts';
import { DEFAULT_LOCATION } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import { type Camera, HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';
import { useHere } from '#/platform/here.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './home-screen.module.css';

export interface StripSlot {
  /** What the map looks at: cards are of the parks around it. */
  around: LatLong;
  selected: number | null;
  onSelect: (park: MapPark) => void;
  onPoint: (id: number | null) => void;
}

export interface PopupSlot {
  park: MapPark;
  /** Opened from the keyboard: the popup should take the focus. */
  byKeyboard: boolean;
  map: ParkMap;
  close: () => void;
}

/** What a search found; of a park, its card opens. */
interface Found extends LatLong {
  kind?: 'park' | 'address';
}

interface HomeScreenProps {
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
  strip: (slot: StripSlot) => ReactNode;
  weather: (place: LatLong) => ReactNode;
  popup: (slot: PopupSlot) => ReactNode;
}

export function HomeScreen(props: HomeScreenProps) {
  const { passedIn, parkId, onSelected, live, onReady, location, search, strip, weather, popup } =
    props;
  const t = useT();
  useTitle(t('home.title'));
  const labels = useMarkerLabels();
  const parks = useParksState(live);
  const here = useHere();
  const [map, setMap] = useState<ParkMap | null>(null);
  const [selected, setSelected] = useState<{ park: MapPark; byKeyboard: boolean } | null>(null);
  /** Parks on the map, in clusters or alone; null before the first answer. */
  const [drawn, setDrawn] = useState<number | null>(null);
  const [middle, setMiddle] = useState<LatLong | null>(null);
  // The last place the map was moved to on purpose: the weather is for it, not for each place it is dragged across.
  const [anchor, setAnchor] = useState(passedIn ?? here.place ?? DEFAULT_LOCATION);
  const [start] = useState(() => {
    const remembered = passedIn ? null : rememberedCamera();
    return {
      camera: remembered ?? { center: anchor, zoom: HOME_ZOOM },
      placeWanted: !passedIn && !remembered,
    };
  });
  const ready = drawn !== null;

  function go(place: Found): void {
    setAnchor(place);
    map?.look({ center: place, zoom: HOME_ZOOM });
    if (place.kind === 'park')
      void clusterClient()
        .nearest(place, 1)
        .then(([park]) => park && select(park));
  }

  async function onItems(items: readonly MapItem[]): Promise<void> {
    setDrawn(items.length);
    if (ready) return;
    setMiddle((known) => known ?? start.camera.center);
    onReady();
    const place = start.placeWanted ? await location.askIfUndecided() : null;
    if (place) go(place);
  }

  const follow = useEffectEvent(go);
  const followed = useRef(passedIn);
  useEffect(() => {
    if (passedIn && passedIn !== followed.current) follow(passedIn);
    followed.current = passedIn;
  }, [passedIn]);

  async function recentre(): Promise<void> {
    const place = await location.ask();
    if (place) go(place);
  }

  async function showNearest(): Promise<void> {
    const [park] = await clusterClient().nearest(map?.camera().center ?? anchor, 1);
    if (park) map?.look({ center: park.location, zoom: HOME_ZOOM });
  }

  function select(park: MapPark): void {
    const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    setSelected({ park, byKeyboard });
    // The address follows after the paint: the tap shows its effect first.
    void afterPaint().then(() => onSelected(park.id));
  }

  function close(): void {
    if (selected && document.activeElement?.matches(':focus-visible')) map?.focus(selected.park.id);
    setSelected(null);
    void afterPaint().then(() => onSelected(null));
  }

  // Where the address leads: back and forward, a link, a search.
  const followAddress = useEffectEvent((id: number | null, park: MapPark | null) => {
    if (id === (selected?.park.id ?? null)) return;
    setSelected(park && { park, byKeyboard: false });
    if (park && !passedIn && !rememberedCamera())
      map?.look({ center: park.location, zoom: HOME_ZOOM });
  });
  useEffect(() => {
    if (!ready) return;
    const found = parkId === null ? Promise.resolve(null) : clusterClient().find(parkId);
    void found.then((park) => followAddress(parkId, park));
  }, [parkId, ready]);

  function onMove(camera: Camera): void {
    rememberCamera(camera);
    // What the popup moves to show its park is nobody's wish for other parks.
    if (!selected) setMiddle(camera.center);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // In a dialog the key closes that alone.
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key === 'Escape' && selected && !inDialog && !event.defaultPrevented) close();
  }

  const bottom = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stacks = [bottom.current, below.current].filter((stack) => stack !== null);
    const sizes = new ResizeObserver(() => {
      const covered = stacks.reduce((sum, stack) => sum + stack.offsetHeight, 0);
      stacks[0]?.parentElement?.style.setProperty('--covered', `${String(covered)}px`);
      if (!map) return;
      const mapped = map.leaflet.getContainer().getBoundingClientRect();
      // On a desktop the cards stand beside the map and cover nothing of it.
      const above = stacks.filter((stack) => {
        const { left, right } = stack.getBoundingClientRect();
        return left < mapped.right && right > mapped.left;
      });
      map.setCovered(above.reduce((sum, stack) => sum + stack.offsetHeight, 0));
    });
    for (const stack of stacks) sizes.observe(stack);
    return () => sizes.disconnect();
  }, [map]);

  return (
    <div className={styles.home} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden">{t('home.title')}</h1>
      <div className={styles.top}>
        {search(go)}
        <ButtonLink to="/parks" variant="secondary" icon={List} className={styles.list}>
          {t('home.list')}
        </ButtonLink>
        {ready && weather(anchor)}
      </div>
      <div className={styles.map}>
        <MapView
          camera={start.camera}
          label={t('home.map')}
          labels={labels}
          selected={selected?.park.id ?? null}
          here={here.place}
          onMap={(made) => {
            setMap(made);
            if (made) rememberCamera(made.camera());
          }}
          onPark={(park) => (selected?.park.id === park.id ? close() : select(park))}
          onPlace={() => selected && close()}
          onMove={onMove}
          onItems={(items) => void onItems(items)}
        />
      </div>
      <div ref={bottom} className={styles.bottom}>
        {!selected && (
          <ParksNotice parks={parks} drawn={drawn} onNearest={() => void showNearest()} />
        )}
        {!selected && location.explanation}
        {selected && map && popup({ ...selected, map, close })}
      </div>
      <div ref={below} className={styles.strip} data-behind={selected ? true : undefined}>
        {middle &&
          strip({
            around: middle,
            selected: selected?.park.id ?? null,
            onSelect: select,
            onPoint: (id) => map?.point(id),
          })}
      </div>
      <div className={styles.controls}>
        <IconButton
          variant="raised"
          className={styles.zoom}
          icon={Plus}
          label={t('home.zoomIn')}
          onClick={() => map?.zoomBy(1)}
        />
        <IconButton
          variant="raised"
          className={styles.zoom}
          icon={Minus}
          label={t('home.zoomOut')}
          onClick={() => map?.zoomBy(-1)}
        />
        {/* The one that is needed most lies nearest to the thumb. */}
        <IconButton
          variant="raised"
          icon={LocateFixed}
          label={t('home.recentre')}
          aria-busy={location.locating}
          onClick={() => void recentre()}
        />
      </div>
    </div>
  );
}
