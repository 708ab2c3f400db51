// The home map and what floats on it. Search, weather, location and the park's popup are slots: the route fills them from other features.
import { List, LocateFixed, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { ParksNotice } from '#/features/home/components/parks-notice.tsx';
import { rememberCamera, rememberedCamera } from '#/features/home/home-memory.ts';
import { useParksState } from '#/features/home/use-parks-state.ts';
import { useT } from '#/i18n/i18n.ts';
import { afterPaint } from '#/core/after-paint.ts';
import type { LatLong } from '#/core/distance.ts';
import { DEFAULT_LOCATION } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import type { MarkerFace } from '#/map/marker-element.ts';
import { MapView } from '#/map/map-view.tsx';
import { type Camera, type Covered, HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';
import { useHere } from '#/platform/here.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './home-screen.module.css';

/** How far the middle of a map may be from the place it was sent to: it moves by whole pixels. */
const ARRIVED_METRES = 10;
/** Pixels from a pin's place up to the middle of its head. */
const PIN_HEAD = 30;

export interface StripSlot {
  /** What the map looks at: cards are of the parks around it. */
  around: LatLong;
  selected: number | null;
  onSelect: (park: MapPark) => void;
  /** Looked at; null: no longer. @param isMeant swiped or tabbed to: it is moved to where it can be seen */
  onPoint: (park: MapPark | null, isMeant: boolean) => void;
  /** Friends' dogs by the park where they are, for its pin. */
  onFaces: (faces: ReadonlyMap<number, MarkerFace>) => void;
}

export interface PopupSlot {
  park: MapPark;
  /** Opened from the keyboard: the popup should take the focus. */
  byKeyboard: boolean;
  map: ParkMap;
  close: () => void;
}

interface Selected {
  park: MapPark;
  byKeyboard: boolean;
}

/** What a search found; of a park, its card opens. */
interface Found extends LatLong {
  kind?: 'park' | 'address';
}

interface HomeScreenProps {
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
  /** The filters, for the list's address. */
  listSearch: object;
  strip: (slot: StripSlot) => ReactNode;
  weather: (place: LatLong) => ReactNode;
  popup: (slot: PopupSlot) => ReactNode;
  /** Further buttons of the map. @param place where it was last moved to on purpose */
  tools: (map: ParkMap, place: LatLong) => ReactNode;
}

export function HomeScreen(props: HomeScreenProps) {
  const { entry, passedIn, parkId, onSelected, live, onReady, location } = props;
  const { search, filters, filtered, listSearch, strip, weather, popup } = props;
  const t = useT();
  useTitle(t('home.title'));
  const parks = useParksState(live);
  const here = useHere();
  const [map, setMap] = useState<ParkMap | null>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  /** The park that was chosen last; what is drawn follows it. */
  const chosen = useRef<number | null>(null);
  /** Parks on the map, in clusters or alone; null before the first answer. */
  const [drawn, setDrawn] = useState<number | null>(null);
  const [faces, setFaces] = useState<ReadonlyMap<number, MarkerFace>>();
  useEffect(() => {
    if (faces) map?.setFaces(faces);
  }, [map, faces]);
  const [middle, setMiddle] = useState<LatLong | null>(null);
  // The last place the map was moved to on purpose: the weather is for it, not for each place it is dragged across.
  const [anchor, setAnchor] = useState(passedIn ?? here.place ?? DEFAULT_LOCATION);
  const [start] = useState(() => {
    const remembered = rememberedCamera(entry);
    const isNew = remembered === null && !passedIn;
    return {
      camera: remembered ?? { center: anchor, zoom: HOME_ZOOM },
      // A link to a park looks at that, wherever the person is.
      placeWanted: isNew && parkId === null,
      parkWanted: isNew ? parkId : null,
    };
  });
  const ready = drawn !== null;
  /** Where the map was sent, until it is moved elsewhere: what comes to lie over the map must not hide it. */
  const sent = useRef(rememberedCamera(entry) ? null : passedIn);

  function go(place: Found): void {
    setAnchor(place);
    sent.current = place;
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
    const [park] = await clusterClient().nearest(map?.camera().center ?? anchor, 1, true);
    if (park) map?.look({ center: park.location, zoom: HOME_ZOOM });
  }

  /** @returns when the tap has shown its effect: what it leads to follows then */
  async function choose(next: Selected | null): Promise<void> {
    const id = next?.park.id ?? null;
    chosen.current = id;
    // The pin answers the tap at once; sheet and cards are drawn after that has been painted, and only for the last choice.
    map?.select(id);
    await afterPaint();
    if (chosen.current === id) startTransition(() => setSelected(next));
  }

  function select(park: MapPark): void {
    const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    void choose({ park, byKeyboard }).then(() => onSelected(park.id));
  }

  function close(): void {
    if (selected && document.activeElement?.matches(':focus-visible')) map?.focus(selected.park.id);
    void choose(null).then(() => onSelected(null));
  }

  // Where the address leads: back and forward, a link, a search.
  const followAddress = useEffectEvent((id: number | null, park: MapPark | null) => {
    if (id === chosen.current) return;
    void choose(park && { park, byKeyboard: false });
    if (park && id === start.parkWanted)
      map?.look({ center: park.location, zoom: HOME_ZOOM }, false);
  });
  useEffect(() => {
    if (!ready) return;
    const found = parkId === null ? Promise.resolve(null) : clusterClient().find(parkId);
    void found.then((park) => followAddress(parkId, park));
  }, [parkId, ready]);

  function onMove(camera: Camera, meant: boolean): void {
    rememberCamera(entry, camera);
    if (map && meant && sent.current) {
      const [from, to] = [camera.center, sent.current];
      const away = map.leaflet.distance([from.lat, from.long], [to.lat, to.long]);
      if (away > ARRIVED_METRES) sent.current = null;
      else uncoverSent();
    }
    // A move that shows a park does not ask for others.
    if (chosen.current === null && meant) startTransition(() => setMiddle(camera.center));
  }

  function onKeyDown(event: KeyboardEvent): void {
    // In a dialog the key closes that alone.
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key === 'Escape' && selected && !inDialog && !event.defaultPrevented) close();
  }

  useEffect(() => {
    if (map) rememberCamera(entry, map.camera());
  }, [map, entry]);

  const top = useRef<HTMLDivElement>(null);
  const chips = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const place = selected?.park.location;
  const stacksOver = (): HTMLElement[] =>
    [top, chips, bottom, below].flatMap(({ current }) => current ?? []);
  /** Moves the map only where something lies over the very pin: the middle is where the person looks for it. */
  function uncoverSent(): void {
    if (map && sent.current && isUnder(stacksOver(), map, sent.current)) map.reveal(sent.current);
  }
  const measure = useEffectEvent(() => {
    const height = [bottom, below].reduce(
      (sum, { current }) => sum + (current?.offsetHeight ?? 0),
      0,
    );
    top.current?.parentElement?.style.setProperty('--covered', `${String(height)}px`);
    if (!map) return;
    map.setCovered(coveredBy(stacksOver(), map.leaflet.getContainer()));
    if (place) map.reveal(place);
    else uncoverSent();
  });
  useEffect(() => {
    const sizes = new ResizeObserver(() => measure());
    for (const { current } of [top, chips, bottom, below]) if (current) sizes.observe(current);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    let current = true;
    // Measuring lays out all that a tap has changed: first it is seen.
    void afterPaint().then(() => current && measure());
    return () => {
      current = false;
    };
  }, [map, place]);

  return (
    <div className={styles.home} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden">{t('home.title')}</h1>
      <div ref={top} className={styles.top}>
        {search(go)}
        <ButtonLink
          to="/parks"
          search={listSearch as never}
          variant="secondary"
          icon={List}
          className={styles.list}
        >
          {t('home.list')}
        </ButtonLink>
        <div ref={chips} className={styles.filters}>
          {ready && filters}
        </div>
        {ready && weather(anchor)}
      </div>
      <div className={styles.map}>
        <MapView
          camera={start.camera}
          label={t('home.map')}
          parks="withDogs"
          selected={selected?.park.id ?? null}
          here={here.place}
          onMap={setMap}
          onPark={(park) => (chosen.current === park.id ? close() : select(park))}
          onPlace={() => selected && close()}
          onMove={onMove}
          onItems={(items) => void onItems(items)}
        />
      </div>
      <div ref={bottom} className={styles.bottom}>
        {!selected && (
          <ParksNotice
            parks={parks}
            drawn={drawn}
            filtered={filtered}
            onNearest={() => void showNearest()}
          />
        )}
        {!selected && location.explanation}
        {selected && map && popup({ ...selected, map, close })}
      </div>
      <div
        ref={below}
        className={styles.strip}
        data-behind={selected || filtered?.count === 0 ? true : undefined}
      >
        {middle &&
          strip({
            around: middle,
            selected: selected?.park.id ?? null,
            onSelect: select,
            onPoint: (park, isMeant) => {
              map?.point(park?.id ?? null);
              if (park && isMeant) map?.reveal(park.location);
            },
            onFaces: setFaces,
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
        {ready && map && props.tools(map, anchor)}
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

/** Whether the head of a pin at a place is behind one of the stacks. */
function isUnder(stacks: readonly HTMLElement[], { leaflet }: ParkMap, { lat, long }: LatLong) {
  const whole = leaflet.getContainer().getBoundingClientRect();
  const pin = leaflet.latLngToContainerPoint([lat, long]);
  const x = whole.left + pin.x;
  const y = whole.top + pin.y - PIN_HEAD;
  return stacks.some((stack) => {
    const { left, right, top, bottom } = stack.getBoundingClientRect();
    return left < x && x < right && top < y && y < bottom;
  });
}

/** What stacks over a map cover of it: one that is nearly as wide as the map from above or below, else from its side. */
function coveredBy(stacks: readonly HTMLElement[], map: HTMLElement): Covered {
  const whole = map.getBoundingClientRect();
  const covered = { top: 0, bottom: 0, left: 0, right: 0 };
  for (const stack of stacks) {
    const { left, right, top, bottom, width, height } = stack.getBoundingClientRect();
    // On a desktop the cards stand beside the map and cover nothing of it.
    if (height === 0 || left >= whole.right || right <= whole.left) continue;
    if (width < whole.width * 0.7) {
      if (left - whole.left < whole.right - right)
        covered.left = Math.max(covered.left, right - whole.left);
      else covered.right = Math.max(covered.right, whole.right - left);
    } else if (top - whole.top < whole.bottom - bottom)
      covered.top = Math.max(covered.top, bottom - whole.top);
    else covered.bottom = Math.max(covered.bottom, whole.bottom - top);
  }
  return covered;
}
