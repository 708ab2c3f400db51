// The rendering worker: reads the site's map file, renders its tiles, and saves areas on the device.
import latin from '@fontsource-variable/rubik/files/rubik-latin-wght-normal.woff2?url';
import arabic from '@fontsource-variable/rubik/files/rubik-arabic-wght-normal.woff2?url';
import hebrew from '@fontsource-variable/rubik/files/rubik-hebrew-wght-normal.woff2?url';
import { Labelers, paint, PmtilesSource, TileCache, View, type PaintRule } from 'protomaps-leaflet';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import type {
  FromRenderer,
  TilePlace,
  TileStyle,
  ToRenderer,
} from '#/map/vector/renderer-protocol.ts';
import { saveAreas, measureAreas } from '#/map/vector/save-area.ts';
import { MapArchive } from '#/map/vector/map-archive.ts';
import { labelRules, paintRules } from '#/map/vector/style.ts';

const TILE = 256;
/** Each tile of the file covers four tiles of the page. At zooms beyond the file's last one, its tiles are enlarged. */
const LEVELS = 1;
/** How far a line or label reaches into a neighbouring tile, in pixels. */
const BUFFER = 16;
/** Number of tiles whose labels are cached: a screenful and its surroundings. */
const MAX_LABELED = 64;
/** After this time, labels are rendered in the device's font. */
const FONT_TIMEOUT_MS = 2000;

/** Fonts by script, in addition to Latin; other scripts use the device's font. */
const LETTERS: Record<string, string> = { Hebrew: hebrew, Arabic: arabic };
const RANGES: Record<string, string> = {
  [hebrew]: 'U+0590-05FF, U+FB1D-FB4F',
  [arabic]: 'U+0600-06FF, U+0750-077F, U+FB50-FDFF, U+FE70-FEFC',
};

let archive: MapArchive | null = null;
let view: View | null = null;
let style: TileStyle | null = null;
let rules: PaintRule[] = [];
let labelers: Labelers | null = null;
let fonts: Promise<unknown> = Promise.resolve();
const loadedFonts = new Set<string>();
const cancelled = new Set<number>();
let warned = false;
let saving = new AbortController();
/** Tiles are rendered one by one in separate tasks, so cancel messages are received in between. */
let lastDraw: Promise<unknown> = Promise.resolve();

type Context = CanvasRenderingContext2D;

const post = (message: FromRenderer, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

function loadFonts(language: Language): Promise<unknown> {
  // Older browsers do not support fonts in workers; labels then use the device's font.
  const faces = (self as unknown as { fonts?: FontFaceSet }).fonts;
  if (!faces) return Promise.resolve();
  const loading = [latin, LETTERS[LANGUAGES[language].script] ?? []]
    .flat()
    .filter((url) => !loadedFonts.has(url))
    .map((url) => {
      loadedFonts.add(url);
      const unicodeRange = RANGES[url];
      const face = new FontFace('Rubik', `url(${url})`, {
        weight: '300 900',
        ...(unicodeRange !== undefined && { unicodeRange }),
      });
      faces.add(face);
      return face.load();
    });
  const timeout = new Promise((resolve) => setTimeout(resolve, FONT_TIMEOUT_MS));
  return Promise.race([Promise.allSettled(loading), timeout]);
}

function setStyle(next: TileStyle): void {
  style = next;
  rules = paintRules(next.palette);
  const scratch = new OffscreenCanvas(1, 1).getContext('2d') as unknown as Context;
  labelers = new Labelers(scratch, labelRules(next), MAX_LABELED, (tiles) =>
    post({ type: 'outdated', tiles: [...tiles] }),
  );
  fonts = loadFonts(next.language);
}

function open(url: string, version: string, maxZoom: number): void {
  archive = new MapArchive(url, version);
  // The archive lacks parts of the library's type, but the library only requests tiles from it.
  const source = new PmtilesSource(archive as never, false);
  view = new View(new TileCache(source, TILE << LEVELS), maxZoom, LEVELS);
}

/** Renders a tile. Returns null if the map has no data there. */
async function draw(place: TilePlace, request: number): Promise<ImageBitmap | null> {
  const [tile] = await Promise.all([view?.getDisplayTile(place), fonts]);
  if (!tile || !style || !labelers || tile.data.size === 0 || cancelled.has(request)) return null;
  const { z, x, y } = place;
  const tiles = new Map([['', [tile]]]);
  labelers.add(z, tiles);
  const size = Math.round(TILE * style.ratio);
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.setTransform(size / TILE, 0, 0, size / TILE, 0, 0);
  const [left, top] = [TILE * x, TILE * y];
  const box = {
    minX: left - BUFFER,
    minY: top - BUFFER,
    maxX: left + TILE + BUFFER,
    maxY: top + TILE + BUFFER,
  };
  const origin = tile.origin.clone();
  [origin.x, origin.y] = [left, top];
  const labels = labelers.getIndex(z) ?? null;
  paint(context as unknown as Context, z, tiles, labels, rules, box, origin, false);
  return canvas.transferToImageBitmap();
}

async function handleDraw(request: number, place: TilePlace): Promise<void> {
  try {
    // All tiles load in parallel, but are rendered in turn.
    await view?.getDisplayTile(place);
    lastDraw = lastDraw.then(() => new Promise((resolve) => setTimeout(resolve)));
    await lastDraw;
    const bitmap = await draw(place, request);
    post({ type: 'drawn', request, bitmap }, bitmap ? [bitmap] : []);
  } catch (error) {
    // Warn once, because when offline every tile fails.
    if (!warned) console.warn('A tile of the map cannot be drawn:', String(error));
    warned = true;
    post({ type: 'failed', request });
  } finally {
    cancelled.delete(request);
  }
}

async function handleAreas({
  type,
  request,
  areas,
}: Extract<ToRenderer, { type: 'measure' | 'save' }>) {
  if (!archive) return;
  if (type === 'save') {
    saving.abort();
    saving = new AbortController();
  }
  const { signal } = saving;
  try {
    const onProgress = (done: number) => post({ type: 'progress', request, done });
    const bytes =
      type === 'measure'
        ? await measureAreas(archive, areas)
        : await saveAreas(archive, areas, onProgress, signal);
    post({ type: 'sized', request, bytes });
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    post({
      type: 'notSaved',
      request,
      why: signal.aborted ? 'stopped' : isFull ? 'full' : 'network',
    });
  }
}

self.addEventListener('message', ({ data: message }: MessageEvent<ToRenderer>) => {
  switch (message.type) {
    case 'open':
      open(message.url, message.version, message.maxZoom);
      setStyle(message.style);
      break;
    case 'style':
      setStyle(message.style);
      break;
    case 'draw':
      void handleDraw(message.request, message.place);
      break;
    case 'cancel':
      cancelled.add(message.request);
      break;
    case 'stop':
      saving.abort();
      break;
    default:
      void handleAreas(message);
  }
});
