// The map itself: Leaflet with tiles and markers, without React. map-view.tsx connects it to a screen.
import './map.css';
import type { GridLayer, Handler, LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import 'leaflet/src/map/handler/Map.DoubleClickZoom.js';
import 'leaflet/src/map/handler/Map.Drag.js';
import 'leaflet/src/map/handler/Map.Keyboard.js';
import 'leaflet/src/map/handler/Map.TouchZoom.js';
import { off } from 'leaflet/src/dom/DomEvent.js';
import { Map as LeafletMapClass } from 'leaflet/src/map/Map.js';
import type { LatLong } from '#/core/distance.ts';
import { HOME_ZOOM } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapItem, MapPark, View } from '#/map/cluster-protocol.ts';
import { ElementLayer } from '#/map/element-layer.ts';
import type { MarkerAvatar, MarkerLabels } from '#/map/marker-element.ts';
import { MarkerLayer } from '#/map/marker-layer.ts';
import { followTileAvailability } from '#/map/tile-availability.ts';
import type { addOutlines } from '#/map/outlines.ts';
import type { addPlainGround } from '#/map/plain-ground.ts';
import { Tiles } from '#/map/tile-layer.ts';
import type { Config } from '#/platform/config-type.ts';
import { onOrientation } from '#/platform/lifecycle.ts';
import { onReconnect } from '#/platform/online.ts';
import styles from './markers.module.css';

const MIN_ZOOM = 4;
const MAX_ZOOM = 19;
/** Markers up to this many pixels outside the map are partly visible. */
const MARGIN = 40;
const DOUBLE_TAP_MS = 300;

/** Leaflet's drag handler with a method that its types omit. */
type Dragging = Handler & { moved(): boolean };

/** Leaflet's keyboard handler with a method that its types omit. */
type Keyboard = Handler & { _onMouseDown(): void };

export interface Camera {
  center: LatLong;
  zoom: number;
}

/** Pixels at each edge of the map that are covered by other elements. */
export interface Covered {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

interface ParkMapOptions {
  camera: Camera;
  /** The site's own vector map, or null if it uses an external tile server. */
  own: Config['map'];
  /** URL template with {z}, {x} and {y}. */
  tileUrl: string;
  /** In the native apps: how tiles are cached on the device. On the web, the service worker caches them. */
  tiles: 'uncached' | 'cached' | 'cleared';
  /** The labels of markers; null if the map draws no parks because it is only for choosing a place. */
  labels: MarkerLabels | null;
  onPark(park: MapPark): void;
  /** A click or tap outside of all markers. */
  onPlace(place: LatLong): void;
  /** @param byUser whether the user moved the map, as opposed to `reveal` or a resize */
  onMove(camera: Camera, byUser: boolean): void;
  onItems(items: readonly MapItem[]): void;
  /** Called when tiles for the current view become available or unavailable. */
  onTilesAvailable(available: boolean): void;
  /** Returns the current locale, in which distances are formatted. */
  locale(): string;
}

/** @param container an empty element that has a size */
export function createParkMap(container: HTMLElement, options: ParkMapOptions) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // Leaflet positions with left and top, which breaks under dir=rtl.
  container.dir = 'ltr';
  const map = new LeafletMapClass(container, {
    center: [options.camera.center.lat, options.camera.center.long],
    zoom: options.camera.zoom,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    zoomAnimation: !still,
    // Fading repaints every tile for twelve frames, which is slowest on cheap phones.
    fadeAnimation: false,
    markerZoomAnimation: !still,
    inertia: !still,
    trackResize: false,
  });
  // Leaflet would focus the map before the browser focuses the pressed marker, which delays each tap. The browser focuses the map
  // itself if no marker is pressed.
  off(container, 'mousedown', (map.keyboard as Keyboard)._onMouseDown, map.keyboard);
  if (still) {
    // The arrow keys pan through panBy and have no animation option.
    const panBy = map.panBy.bind(map);
    map.panBy = (offset, moving) => panBy(offset, { ...moving, animate: false });
  }
  const stop: (() => void)[] = [];
  // Add tiles in a separate task, because on slow phones creating the map and a dozen tiles together blocks for too long.
  let stopped = false;
  const timer = setTimeout(() => void addBaseLayer(map, options, () => stopped).then(follow));
  stop.push(
    () => clearTimeout(timer),
    () => (stopped = true),
  );
  let setUsable = (): void => undefined;
  const usable = new Promise<void>((resolve) => (setUsable = resolve));
  const ground = createGround(map, options, usable, () => stopped);
  let followLanguage = (): void => undefined;
  function follow(added: BaseLayer | null): void {
    if (!added) return;
    followLanguage = added.followLanguage;
    added.layer.once('load', () => performance.mark('tiles-ready'));
    let isMissing = false;
    // Leaflet does not request failed tiles again until the map is moved.
    stop.push(onReconnect(() => void (isMissing && added.layer.redraw())));
    followTileAvailability(added.layer, (available) => {
      isMissing = !available;
      ground.setTilesAvailable(available);
      options.onTilesAvailable(available);
    });
  }
  let covered: Covered = { top: 0, bottom: 0, left: 0, right: 0 };
  let revealing = false;
  /** Resolves when an animated `look` has ended. `fit` waits for it, because Leaflet cannot stop a running zoom animation. */
  let flight: Promise<unknown> = Promise.resolve();
  /** True if the user started the current move. Some `moveend` events have no `movestart`: panning by less than a pixel. */
  let byUser = false;
  map.on('movestart', () => {
    byUser = !revealing;
    if (byUser) refit = null;
  });
  map.on('dragstart', () => (sent += 1));
  /** Padding in pixels at the map's edges. The top has more because a pin extends above its place. */
  const clear = (): Record<'start' | 'end', [number, number]> => ({
    start: [covered.left + MARGIN, covered.top + 2 * MARGIN],
    end: [covered.right + MARGIN, covered.bottom + MARGIN],
  });
  /** Pans the map only as far as needed to uncover a place. */
  function reveal({ lat, long }: LatLong): void {
    const { start, end } = clear();
    refit = null;
    revealing = true;
    map.panInside([lat, long], { paddingTopLeft: start, paddingBottomRight: end, animate: !still });
    revealing = false;
  }
  /** Counts moves: the code of `fit` is loaded lazily, and a late `fit` must not override a later move. */
  let sent = 0;
  /** Repeats the last `fit`; null once the map has moved for another reason. */
  let refit: (() => void) | null = null;
  /** Zooms out until the first places are uncovered, and more of them if they are close. */
  async function fit(places: readonly LatLong[], least: number): Promise<void> {
    sent += 1;
    const own = sent;
    const [{ fitPlaces }] = await Promise.all([import('#/map/fit-places.ts'), flight]);
    if (stopped || own !== sent) return;
    refit = () => {
      revealing = true;
      fitPlaces(map, places, least, { ...clear(), maxZoom: HOME_ZOOM });
      revealing = false;
    };
    refit();
  }
  const onItems: ParkMapOptions['onItems'] = (items) => {
    ground.setParks(items.flatMap(({ type, id }) => (type === 'park' ? [id] : [])));
    options.onItems(items);
  };
  const markers = options.labels
    ? drawParks(map, { ...options, onItems, labels: options.labels, reveal }, setUsable, stop)
    : null;
  if (!markers) setUsable();
  const spots = new ElementLayer();
  map.addLayer(spots);

  const showHere = spot(spots, () => element(styles.here));

  const camera = (): Camera => {
    const { lat, lng } = map.getCenter();
    return { center: { lat, long: lng }, zoom: map.getZoom() };
  };
  map.on('moveend', () => {
    const wasByUser = byUser;
    byUser = false;
    options.onMove(camera(), wasByUser);
  });
  let tapped: ReturnType<typeof setTimeout>;
  map.on('dblclick', () => clearTimeout(tapped));
  stop.push(() => clearTimeout(tapped));
  map.on('click', ({ latlng }: LeafletMouseEvent) =>
    options.onPlace({ lat: latlng.lat, long: latlng.lng }),
  );

  // Resizes the map and keeps its centre. Called on rotation, too, because native web views may notify the observer late.
  const resize = (): void => void map.invalidateSize({ animate: false });
  const sizes = new ResizeObserver(resize);
  sizes.observe(container);
  stop.push(onOrientation(resize));

  return {
    /** Exposed for layers that are loaded later. */
    leaflet: map,
    camera,
    look({ center, zoom }: Camera, animate = true): void {
      // Do nothing if the map was destroyed: a position may arrive after its screen was closed.
      if (stopped) return;
      sent += 1;
      flight = new Promise((resolve) => map.once('moveend', resolve));
      map.setView([center.lat, center.long], zoom, { animate: animate && !still });
    },
    /** Pans once it is certain that the tap is not the first of a double tap. */
    moveTo({ lat, long }: LatLong): void {
      clearTimeout(tapped);
      tapped = setTimeout(() => map.panTo([lat, long], { animate: !still }), DOUBLE_TAP_MS);
    },
    zoomBy: (levels: number) => void map.setZoom(map.getZoom() + levels, { animate: !still }),
    select: (id: number | null) => markers?.select(id),
    /** Draws a park's pin above the others without selecting it. */
    point: (id: number | null) => markers?.point(id),
    reveal,
    fit,
    /** Call this when a bar or card has changed the visible part of the map. */
    refit(): void {
      resize();
      refit?.();
    },
    focus: (id: number) => markers?.focus(id),
    /** Sets the edges that the screen covers; `reveal` and `fit` keep places clear of them. */
    setCovered: (next: Covered) => void (covered = next),
    setLabels: (labels: MarkerLabels) => markers?.setLabels(labels),
    /** Friends' dogs by park ID. */
    setAvatars: (avatars: ReadonlyMap<number, MarkerAvatar>) => markers?.setAvatars(avatars),
    /** Renders place names and distances in the page's new language. */
    followLanguage(): void {
      followLanguage();
      ground.followLanguage();
    },
    setHere(place: LatLong | null): void {
      showHere(place);
      ground.setHere(place);
    },
    setPin: spot(spots, () => {
      const pin = element(`${styles.pin} ${styles.raised} ${styles.selected} ${styles.fixed}`);
      pin.append(element(styles.shape));
      return pin;
    }),
    destroy(): void {
      sizes.disconnect();
      for (const end of stop) end();
      map.remove();
    },
  };
}

export type ParkMap = ReturnType<typeof createParkMap>;

interface BaseLayer {
  layer: GridLayer;
  followLanguage: () => void;
}

async function addBaseLayer(
  map: LeafletMap,
  options: ParkMapOptions,
  isStopped: () => boolean,
): Promise<BaseLayer | null> {
  const made = options.own ? await makeVectorMap(options.own) : await makeTileLayer(options);
  if (isStopped()) return null;
  map.addLayer(made.layer);
  return made;
}

async function makeVectorMap(own: NonNullable<Config['map']>): Promise<BaseLayer> {
  const { vectorMap } = await import('#/map/vector/vector-map.ts');
  return vectorMap(own, MAX_ZOOM);
}

async function makeTileLayer({ tileUrl, tiles }: ParkMapOptions): Promise<BaseLayer> {
  if (tiles === 'cleared')
    void import('#/offline/tile-cache/indexeddb-tiles.ts').then(({ deleteTiles }) => deleteTiles());
  const Layer =
    tiles === 'cached' ? (await import('#/map/cached-tile-layer.ts')).CachedTiles : Tiles;
  return { layer: new Layer(tileUrl, MAX_ZOOM), followLanguage: () => undefined };
}

/**
 * Overlays that need no tiles: park outlines, which are also drawn over the site's own map, and distances when tiles are missing.
 * Their code is loaded on first use, but not before the map is interactive, because tiles can fail immediately.
 */
function createGround(
  map: LeafletMap,
  { locale, own }: ParkMapOptions,
  usable: Promise<void>,
  isStopped: () => boolean,
) {
  let outlined = own !== null;
  let outlines: Promise<ReturnType<typeof addOutlines>> | null = null;
  let distances: Promise<ReturnType<typeof addPlainGround>> | null = null;
  let parks: readonly number[] = [];
  let here: LatLong | null = null;
  const failed = (error: unknown): void => console.warn('The ground cannot be drawn:', error);

  function drawOutlines(): void {
    if (!outlined || isStopped()) return;
    outlines ??= usable
      .then(() => import('#/map/outlines.ts'))
      .then((part) => part.addOutlines(map));
    outlines.then((added) => added.show(parks)).catch(failed);
  }

  return {
    setTilesAvailable(available: boolean): void {
      if (available) {
        void distances?.then((added) => added.remove());
        distances = null;
        return;
      }
      outlined = true;
      drawOutlines();
      distances ??= usable
        .then(() => import('#/map/plain-ground.ts'))
        .then((part) => part.addPlainGround(map, locale));
      distances.then((added) => added.setHere(here)).catch(failed);
    },
    setParks(ids: readonly number[]): void {
      parks = ids;
      drawOutlines();
    },
    setHere(place: LatLong | null): void {
      here = place;
      void distances?.then((added) => added.setHere(place));
    },
    followLanguage: () => void distances?.then((added) => added.followLanguage()),
  };
}

const element = (className = ''): HTMLElement =>
  Object.assign(document.createElement('span'), { className });

/** Shows one element at a place, or hides it. */
function spot(layer: ElementLayer, make: () => HTMLElement): (place: LatLong | null) => void {
  let made: HTMLElement | null = null;
  return (place) => {
    if (place) layer.place((made ??= make()), place);
    else if (made) layer.take(made);
  };
}

/**
 * Draws the clustering worker's items as markers and handles their events.
 * @param onUsable called when the first markers are drawn or the park list has failed to load
 */
function drawParks(
  map: LeafletMap,
  {
    labels,
    reveal,
    onPark,
    onItems,
  }: ParkMapOptions & { labels: MarkerLabels; reveal: (place: LatLong) => void },
  onUsable: () => void,
  stop: (() => void)[],
): MarkerLayer {
  const clusters = clusterClient();
  const layer = new MarkerLayer(labels);
  map.addLayer(layer);

  let marked = false;
  const query = (): void => clusters.query(viewOf(map));
  map.on('move', query);
  stop.push(
    clusters.listen({
      onItems(items, view) {
        // This response is for the view before a zoom that is still running. A response for the new zoom follows.
        if (view.zoom !== Math.round(map.getZoom())) return;
        layer.show(items, map);
        if (!marked) performance.mark('map-ready');
        marked = true;
        onUsable();
        onItems(items);
      },
      onState({ state }) {
        if (state === 'failed') onUsable();
      },
    }),
  );
  if (clusters.state().state === 'failed') onUsable();

  function open(item: MapItem): void {
    if (item.type === 'park') return onPark(item);
    map.setView([item.location.lat, item.location.long], item.splitZoom);
  }

  const pane = map.getPane('markerPane');
  pane?.addEventListener('click', (event) => {
    const item = layer.itemAt(event.target);
    if (!item) return;
    // Stop the click, so that the map does not handle it as well. Ignore it if a drag began on the marker; keyboard clicks have no
    // detail.
    event.stopPropagation();
    if (event.detail > 0 && (map.dragging as Dragging).moved()) return;
    open(item);
  });
  pane?.addEventListener('dblclick', (event) => event.stopPropagation());
  pane?.addEventListener('keydown', (event) => {
    const item = layer.itemAt(event.target);
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    // Prevent the default only if the focus moved, because arrow keys would otherwise scroll the page.
    if (layer.step(item, event.key, map)) event.preventDefault();
  });
  pane?.addEventListener('focusin', ({ target }) => {
    const item = layer.itemAt(target);
    if (!item || !(target instanceof HTMLButtonElement)) return;
    layer.visit(target);
    if (target.matches(':focus-visible')) reveal(item.location);
  });
  query();
  return layer;
}

function viewOf(map: LeafletMap): View {
  const size = map.getSize();
  const zoom = Math.round(map.getZoom());
  const { lat: north, lng: west } = map.containerPointToLatLng([-MARGIN, -MARGIN]);
  const { lat: south, lng: east } = map.containerPointToLatLng([size.x + MARGIN, size.y + MARGIN]);
  return { west, north, east, south, zoom };
}
