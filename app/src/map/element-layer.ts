// A map layer of HTML elements that follow zooming and its animation, as Leaflet's own markers do.
import type { LatLngExpression, Map as LeafletMap, Point, ZoomAnimEvent } from 'leaflet';
import { setPosition } from 'leaflet/src/dom/DomUtil.js';
import { Layer } from 'leaflet/src/layer/Layer.js';
import type { LatLong } from '#/core/distance.ts';

/** The projection during a zoom animation, which Leaflet offers only to its own markers. */
type AnimatedMap = LeafletMap & {
  _latLngToNewLayerPoint(place: LatLngExpression, zoom: number, center: LatLngExpression): Point;
};

export class ElementLayer extends Layer {
  readonly #places = new Map<HTMLElement, LatLong>();

  override getEvents() {
    const reset = () => this.#placeAll((lat, long) => this._map.latLngToLayerPoint([lat, long]));
    return {
      zoom: reset,
      viewreset: reset,
      zoomanim: (event: unknown) => {
        const { zoom, center } = event as ZoomAnimEvent;
        const map = this._map as AnimatedMap;
        this.#placeAll((lat, long) => map._latLngToNewLayerPoint([lat, long], zoom, center));
      },
    };
  }

  override onAdd(map: LeafletMap): this {
    const pane = map.getPane('markerPane');
    for (const [element, place] of this.#places) {
      pane?.append(element);
      this.#put(element, map.latLngToLayerPoint([place.lat, place.long]));
    }
    return this;
  }

  override onRemove(): this {
    for (const element of this.#places.keys()) element.remove();
    return this;
  }

  /** Adds or moves an element; its CSS class must centre it on its coordinates. */
  place(element: HTMLElement, place: LatLong): void {
    this.#places.set(element, place);
    element.classList.add('leaflet-zoom-animated');
    if (!this._map) return;
    if (!element.parentNode) this._map.getPane('markerPane')?.append(element);
    this.#put(element, this._map.latLngToLayerPoint([place.lat, place.long]));
  }

  take(element: HTMLElement): void {
    this.#places.delete(element);
    element.remove();
  }

  #placeAll(project: (lat: number, long: number) => Point): void {
    for (const [element, { lat, long }] of this.#places) this.#put(element, project(lat, long));
  }

  #put(element: HTMLElement, point: Point): void {
    const rounded = point.round();
    setPosition(element, rounded);
    // Elements further south are in front. This needs z-index, because the order in the DOM is the tab order.
    element.style.zIndex = String(rounded.y);
  }
}
