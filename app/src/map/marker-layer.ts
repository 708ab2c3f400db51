// Draws parks and clusters: reuses elements, and orders them from the middle outwards for the keyboard.
import type { Map as LeafletMap } from 'leaflet';
import type { MapItem } from '#/map/cluster-protocol.ts';
import { ElementLayer } from '#/map/element-layer.ts';
import {
  createMarker,
  drawMarker,
  type MarkerFace,
  type MarkerLabels,
} from '#/map/marker-element.ts';

interface Drawn {
  item: MapItem;
  button: HTMLButtonElement;
}

/** How many removed elements are reused at most. */
const POOL = 60;

const keyOf = ({ kind, id }: MapItem): string => `${kind} ${String(id)}`;

export class MarkerLayer extends ElementLayer {
  readonly #drawn = new Map<string, Drawn>();
  readonly #itemOf = new WeakMap<HTMLElement, MapItem>();
  readonly #pool: HTMLButtonElement[] = [];
  #labels: MarkerLabels;
  #selected: number | null = null;
  #pointed: number | null = null;
  #faces: ReadonlyMap<number, MarkerFace> = new Map();

  constructor(labels: MarkerLabels) {
    super();
    this.#labels = labels;
  }

  /** The item whose element an event came from. */
  itemAt(target: EventTarget | null): MapItem | null {
    const button = target instanceof Element ? target.closest('button') : null;
    return (button && this.#itemOf.get(button)) ?? null;
  }

  show(items: readonly MapItem[], map: LeafletMap): void {
    const wanted = new Map(items.map((item) => [keyOf(item), item]));
    for (const [key, { button }] of this.#drawn) if (!wanted.has(key)) this.#drop(key, button);
    for (const [key, item] of wanted) this.#draw(key, item);
    this.#order(map);
  }

  select(id: number | null): void {
    this.#selected = id;
    this.#redraw();
  }

  /** Raises the marker of what somebody looks at elsewhere, such as in a list. */
  point(id: number | null): void {
    this.#pointed = id;
    this.#redraw();
  }

  /** By park. */
  setFaces(faces: ReadonlyMap<number, MarkerFace>): void {
    this.#faces = faces;
    this.#redraw();
  }

  setLabels(labels: MarkerLabels): void {
    this.#labels = labels;
    this.#redraw();
  }

  /** Gives the keyboard focus to a park's marker, where it is drawn. */
  focus(id: number): void {
    this.#drawn.get(keyOf({ kind: 'park', id } as MapItem))?.button.focus({ preventScroll: true });
  }

  #redraw(): void {
    for (const { item, button } of this.#drawn.values()) this.#face(button, item);
  }

  #face(button: HTMLButtonElement, item: MapItem): void {
    const is = (id: number | null) => item.kind === 'park' && item.id === id;
    drawMarker(button, item, this.#labels, {
      selected: is(this.#selected),
      pointed: is(this.#pointed),
      face: (item.kind === 'park' && this.#faces.get(item.id)) || null,
    });
  }

  #draw(key: string, item: MapItem): void {
    const old = this.#drawn.get(key);
    const button = old?.button ?? this.#pool.pop() ?? createMarker();
    this.#drawn.set(key, { item, button });
    this.#itemOf.set(button, item);
    this.place(button, item.location);
    this.#face(button, item);
  }

  #drop(key: string, button: HTMLButtonElement): void {
    this.#drawn.delete(key);
    this.#itemOf.delete(button);
    this.take(button);
    if (this.#pool.length < POOL) this.#pool.push(button);
  }

  /** Tab goes from the middle of the map outwards. The focused element is never moved: moving it would take the focus away. */
  #order(map: LeafletMap): void {
    const center = map.latLngToLayerPoint(map.getCenter());
    const sorted = [...this.#drawn.values()]
      .map(({ item, button }) => ({
        button,
        away: center.distanceTo(map.latLngToLayerPoint([item.location.lat, item.location.long])),
      }))
      .sort((a, b) => a.away - b.away);
    const pane = map.getPane('markerPane');
    let previous: Element | null = null;
    for (const { button } of sorted) {
      const inPlace = previous
        ? previous.nextElementSibling === button
        : pane?.firstElementChild === button;
      if (!inPlace && button !== document.activeElement) {
        if (previous) previous.after(button);
        else pane?.prepend(button);
      }
      previous = button;
    }
  }
}
