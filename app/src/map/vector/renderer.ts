// The page's side of the rendering worker. One worker serves all visits to the map, so returning to the map is cheap.
import { currentLanguage } from '#/i18n/i18n.ts';
import type { Config } from '#/platform/config-type.ts';
import type { FromRenderer, TilePlace, TileStyle, ToRenderer } from './renderer-protocol.ts';
import { onPaletteChange, readPalette } from './palette.ts';
import type { Area } from '#/map/vector/offline-map.ts';

export class NotSavedError extends Error {
  /** full: above the quota, or not enough space on the device. */
  readonly why: 'full' | 'network' | 'stopped';

  constructor(why: NotSavedError['why']) {
    super(`The surroundings are not saved: ${why}`);
    this.why = why;
  }
}

/** A higher ratio is not visible, and memory grows with its square. */
const MAX_RATIO = 3;

interface Pending {
  told?: ((done: number) => void) | undefined;
  resolve: (bytes: number | null) => void;
  reject: (error: NotSavedError) => void;
}

type SiteMap = NonNullable<Config['map']>;

/** Protomaps' files end at this zoom. */
const USUAL_MAX_ZOOM = 15;

function createRenderer({ url, version, maxZoom = USUAL_MAX_ZOOM }: SiteMap) {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), { type: 'module' });
  const post = (message: ToRenderer): void => worker.postMessage(message);
  const ratio = Math.min(MAX_RATIO, Math.max(1, devicePixelRatio));
  const drawing = new Map<number, (bitmap: ImageBitmap | null) => void>();
  const pending = new Map<number, Pending>();
  const outdated = new Set<(tiles: readonly string[] | null) => void>();
  let request = 0;

  const style = (): TileStyle => ({ language: currentLanguage(), palette: readPalette(), ratio });
  let drawn = JSON.stringify(style());

  function restyle(): void {
    const next = style();
    if (JSON.stringify(next) === drawn) return;
    drawn = JSON.stringify(next);
    post({ type: 'style', style: next });
    for (const told of outdated) told(null);
  }

  function finish(message: Exclude<FromRenderer, { type: 'outdated' }>): void {
    const asked = pending.get(message.request);
    switch (message.type) {
      case 'drawn':
      case 'failed':
        drawing.get(message.request)?.(message.type === 'drawn' ? message.bitmap : null);
        drawing.delete(message.request);
        return;
      case 'progress':
        asked?.told?.(message.done);
        return;
      case 'sized':
        asked?.resolve(message.bytes);
        break;
      case 'notKept':
        asked?.reject(new NotSavedError(message.why));
    }
    pending.delete(message.request);
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromRenderer>) => {
    if (data.type === 'outdated') for (const told of outdated) told(data.tiles);
    else finish(data);
  });
  post({ type: 'open', url, version, maxZoom, style: style() });
  onPaletteChange(restyle);

  function ask(
    type: 'measure' | 'save',
    areas: readonly Area[],
    told?: (done: number) => void,
  ): Promise<number | null> {
    request += 1;
    post({ type, request, areas: [...areas] });
    return new Promise((resolve, reject) => pending.set(request, { told, resolve, reject }));
  }

  return {
    /** Device pixels per CSS pixel. */
    ratio,
    /** Renders a tile. The callback gets null if the tile is empty or failed to load. @returns cancel function */
    draw(place: TilePlace, told: (bitmap: ImageBitmap | null) => void): () => void {
      request += 1;
      const mine = request;
      drawing.set(mine, told);
      post({ type: 'draw', request: mine, place });
      return () => {
        if (drawing.delete(mine)) post({ type: 'cancel', request: mine });
      };
    },
    /** Calls back with tiles (`x:y:z`) that must be redrawn, or null for all. @returns a function that unsubscribes */
    onOutdated(told: (tiles: readonly string[] | null) => void): () => void {
      outdated.add(told);
      return () => outdated.delete(told);
    },
    /** Redraws the tiles if the page's language has changed. */
    followLanguage: restyle,
    /** Bytes that saving the areas takes, or null if above the quota. @throws NotSavedError */
    measure: (areas: readonly Area[]) => ask('measure', areas),
    /** Saves the areas and deletes all others. @param onProgress receives 0 to 1 @returns bytes @throws NotSavedError */
    async save(areas: readonly Area[], told: (done: number) => void): Promise<number> {
      const bytes = await ask('save', areas, told);
      if (bytes === null) throw new NotSavedError('full');
      return bytes;
    },
    stopSaving: () => post({ type: 'stop' }),
  };
}

export type Renderer = ReturnType<typeof createRenderer>;

let renderer: Renderer | null = null;

/** Returns the page's only renderer. The first call starts its worker. */
export function mapRenderer(map: SiteMap): Renderer {
  renderer ??= createRenderer(map);
  return renderer;
}
