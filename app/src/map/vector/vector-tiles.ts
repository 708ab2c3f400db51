// The site's vector map as a Leaflet layer whose tiles a worker renders. Loaded only if a site has such a map.
import type { Coords, DoneCallback } from 'leaflet';
import { GridLayer } from 'leaflet/src/layer/tile/GridLayer.js';
import { deferHandlers } from '#/map/defer-handlers.ts';
import type { Renderer } from '#/map/vector/renderer.ts';

const TILE = 256;

interface Drawn {
  cancel: () => void;
  /** Leaflet's callback for the first image; undefined after it was called. */
  done?: ((error?: Error) => void) | undefined;
}

export class VectorTiles extends GridLayer {
  readonly #renderer: Renderer;
  readonly #drawn = new WeakMap<HTMLElement, Drawn>();
  #stop: () => void = () => undefined;

  constructor(renderer: Renderer, maxZoom: number) {
    super({
      tileSize: TILE,
      className: 'map-drawn',
      maxZoom,
      keepBuffer: 1,
      updateWhenZooming: false,
    });
    this.#renderer = renderer;
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }

  override onAdd(map: L.Map): this {
    this.#stop = this.#renderer.onOutdated((tiles) => this.#redraw(tiles));
    this.on('tileunload', ({ tile }: { tile: HTMLElement }) => this.#drawn.get(tile)?.cancel());
    super.onAdd(map);
    return this;
  }

  override onRemove(map: L.Map): this {
    this.#stop();
    super.onRemove(map);
    return this;
  }

  protected override createTile(place: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.round(TILE * this.#renderer.ratio);
    this.#drawn.set(canvas, { cancel: () => undefined, done: (error) => done(error, canvas) });
    this.#draw(canvas, place);
    return canvas;
  }

  #draw(canvas: HTMLCanvasElement, { x, y, z }: Coords): void {
    const drawn = this.#drawn.get(canvas);
    if (!drawn) return;
    drawn.cancel();
    drawn.cancel = this.#renderer.draw({ x, y, z }, (bitmap) => {
      if (bitmap) canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
      drawn.done?.(bitmap ? undefined : new Error('The map has nothing there'));
      drawn.done = undefined;
    });
  }

  /** Redraws tiles in place; they show their old image until then. */
  #redraw(tiles: readonly string[] | null): void {
    for (const [key, { el, coords }] of Object.entries(this._tiles))
      if (tiles === null || tiles.includes(key)) this.#draw(el as HTMLCanvasElement, coords);
  }
}
