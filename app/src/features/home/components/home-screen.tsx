// The home map and what floats on it. Search, weather, location and the park's popup are slots: the route fills them from other features.
import { List, LocateFixed, Minus, PawPrint, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { ParksNotice } from '#/features/home/components/parks-notice.tsx';
import { type VisibleCounts, visibleCounts } from '#/features/home/visible-counts.ts';
import { rememberCamera, rememberedCamera } from '#/features/home/home-memory.ts';
import { useMarkerLabels } from '#/features/home/use-marker-labels.ts';
import { useParksState } from '#/features/home/use-parks-state.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { DEFAULT_LOCATION } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import { HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';
import { useHere } from '#/platform/here.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './home-screen.module.css';

export interface PopupSlot {
  park: MapPark;
  /** Opened from the keyboard: the popup should take the focus. */
  byKeyboard: boolean;
  map: ParkMap;
  close: () => void;
}

interface HomeScreenProps {
  /** A place that a link asked for. */
  passedIn: LatLong | null;
  live: LiveRow[] | undefined;
  /** Called once, when the first markers are drawn: what is not needed before may load now. */
  onReady: () => void;
  location: {
    locating: boolean;
    ask: () => Promise<LatLong | null>;
    askIfUndecided: () => Promise<LatLong | null>;
    explanation: ReactNode;
  };
  search: (go: (place: LatLong) => void) => ReactNode;
  weather: (place: LatLong) => ReactNode;
  popup: (slot: PopupSlot) => ReactNode;
}

export function HomeScreen(props: HomeScreenProps) {
  const { passedIn, live, onReady, location, search, weather, popup } = props;
  const t = useT();
  useTitle(t('home.title'));
  const labels = useMarkerLabels();
  const parks = useParksState(live);
  const here = useHere();
  const [map, setMap] = useState<ParkMap | null>(null);
  const [selected, setSelected] = useState<{ park: MapPark; byKeyboard: boolean } | null>(null);
  const [around, setAround] = useState<VisibleCounts | null>(null);
  // The last place the map was moved to on purpose: the weather is for it, not for each place it is dragged across.
  const [anchor, setAnchor] = useState(passedIn ?? here.place ?? DEFAULT_LOCATION);
  const [start] = useState(() => {
    const remembered = passedIn ? null : rememberedCamera();
    return {
      camera: remembered ?? { center: anchor, zoom: HOME_ZOOM },
      placeWanted: !passedIn && !remembered,
    };
  });
  const ready = around !== null;

  function go(place: LatLong): void {
    setAnchor(place);
    map?.look({ center: place, zoom: HOME_ZOOM });
  }

  async function onItems(items: readonly MapItem[]): Promise<void> {
    const now = visibleCounts(items);
    // The map reports after every move: render again only for other numbers.
    setAround((last) => (last?.parks === now.parks && last.dogs === now.dogs ? last : now));
    if (ready) return;
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

  function toggle(park: MapPark): void {
    const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    setSelected(selected?.park.id === park.id ? null : { park, byKeyboard });
  }

  function close(): void {
    if (selected && document.activeElement?.matches(':focus-visible')) map?.focus(selected.park.id);
    setSelected(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // In a dialog the key closes that alone.
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key === 'Escape' && selected && !inDialog && !event.defaultPrevented) close();
  }

  const bottom = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stack = bottom.current;
    if (!stack) return;
    const sizes = new ResizeObserver(() =>
      stack.parentElement?.style.setProperty('--covered', `${String(stack.offsetHeight)}px`),
    );
    sizes.observe(stack);
    return () => sizes.disconnect();
  }, []);

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
          onPark={toggle}
          onPlace={() => setSelected(null)}
          onMove={rememberCamera}
          onItems={(items) => void onItems(items)}
        />
      </div>
      <div ref={bottom} className={styles.bottom}>
        {!selected && (
          <ParksNotice
            parks={parks}
            drawn={around && around.parks}
            onNearest={() => void showNearest()}
          />
        )}
        {!selected && location.explanation}
        {selected && map && popup({ ...selected, map, close })}
      </div>
      {live && around && around.parks > 0 && !selected && !location.explanation && (
        <p className={styles.around}>
          <Icon of={PawPrint} size={18} />
          <span>
            <span>{t('parks.dogsNow', { count: around.dogs })}</span>
            <span aria-hidden> · </span>
            <span>{t('parks.list.found', { count: around.parks })}</span>
          </span>
        </p>
      )}
      <div className={styles.controls}>
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
