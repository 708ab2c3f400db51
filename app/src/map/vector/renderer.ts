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

/** Maximum device pixel ratio. A higher one is not visible, and memory grows with its square. */
const MAX_RATIO = 3;

interface Pending {
  onProgress?: ((done: number) => void) | undefined;
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
  let lastId = 0;

  const style = (): TileStyle => ({ language: currentLanguage(), palette: readPalette(), ratio });
  let drawn = JSON.stringify(style());

  function restyle(): void {
    const next = style();
    if (JSON.stringify(next) === drawn) return;
    drawn = JSON.stringify(next);
    post({ type: 'style', style: next });
    for (const callback of outdated) callback(null);
  }

  function finish(message: Exclude<FromRenderer, { type: 'outdated' }>): void {
    const waiting = pending.get(message.request);
    switch (message.type) {
      case 'drawn':
      case 'failed':
        drawing.get(message.request)?.(message.type === 'drawn' ? message.bitmap : null);
        drawing.delete(message.request);
        return;
      case 'progress':
        waiting?.onProgress?.(message.done);
        return;
      case 'sized':
        waiting?.resolve(message.bytes);
        break;
      case 'notSaved':
        waiting?.reject(new NotSavedError(message.why));
    }
    pending.delete(message.request);
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromRenderer>) => {
    if (data.type === 'outdated') for (const callback of outdated) callback(data.tiles);
    else finish(data);
  });
  post({ type: 'open', url, version, maxZoom, style: style() });
  onPaletteChange(restyle);

  function request(
    type: 'measure' | 'save',
    areas: readonly Area[],
    onProgress?: (done: number) => void,
  ): Promise<number | null> {
    lastId += 1;
    post({ type, request: lastId, areas: [...areas] });
    return new Promise((resolve, reject) => pending.set(lastId, { onProgress, resolve, reject }));
  }

  return {
    /** Device pixels per CSS pixel. */
    ratio,
    /** Renders a tile. The callback gets null if the tile is empty or failed to load. @returns cancel function */
    draw(place: TilePlace, callback: (bitmap: ImageBitmap | null) => void): () => void {
      lastId += 1;
      const id = lastId;
      drawing.set(id, callback);
      post({ type: 'draw', request: id, place });
      return () => {
        if (drawing.delete(id)) post({ type: 'cancel', request: id });
      };
    },
    /** Calls back with tiles (`x:y:z`) that must be redrawn, or null for all. @returns a function that unsubscribes */
    onOutdated(callback: (tiles: readonly string[] | null) => void): () => void {
      outdated.add(callback);
      return () => outdated.delete(callback);
    },
    /** Redraws the tiles if the page's language has changed. */
    followLanguage: restyle,
    /** Bytes that saving the areas takes, or null if above the quota. @throws NotSavedError */
    measure: (areas: readonly Area[]) => request('measure', areas),
    /** Saves the areas and deletes all others. @param onProgress receives 0 to 1 @returns bytes @throws NotSavedError */
    async save(areas: readonly Area[], onProgress: (done: number) => void): Promise<number> {
      const bytes = await request('save', areas, onProgress);
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
