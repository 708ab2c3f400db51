// The drawn ground under the tiles: lawns and paths, the same at each visit, so that a map without tiles is still a map.
import type { Coords } from 'leaflet';
import { GridLayer } from 'leaflet/src/layer/tile/GridLayer.js';
import { deferHandlers } from '#/map/defer-handlers.ts';
import { GROUND_SIZE, groundPaths } from '#/map/ground-paths.ts';

const SVG = 'http://www.w3.org/2000/svg';

export class GroundLayer extends GridLayer {
  constructor() {
    super({
      tileSize: GROUND_SIZE,
      className: 'map-ground',
      updateWhenZooming: false,
      keepBuffer: 1,
    });
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }

  protected override createTile({ x, y, z }: Coords): HTMLElement {
    const { lawns, paths, trails } = groundPaths(x, y, z);
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${String(GROUND_SIZE)} ${String(GROUND_SIZE)}`);
    for (const [className, data] of [
      ['lawn', lawns],
      ['trail', trails],
      ['path', paths],
    ] as const) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('class', className);
      path.setAttribute('d', data);
      svg.append(path);
    }
    return svg as unknown as HTMLElement;
  }
}
