// Draws parks and clusters with reused elements. All markers share one tab stop; arrow keys move between them.
import type { Map as LeafletMap } from 'leaflet';
import type { MapItem } from './cluster-protocol.ts';
import { ElementLayer } from './element-layer.ts';
import {
  createMarker,
  drawMarker,
  type MarkerAvatar,
  type MarkerLabels,
} from './marker-element.ts';
import { nextInDirection } from './next-in-direction.ts';

interface Drawn {
  item: MapItem;
  button: HTMLButtonElement;
}

/** Maximum number of removed elements kept for reuse. */
const POOL = 60;

const keyOf = ({ type, id }: MapItem): string => `${type} ${String(id)}`;

export class MarkerLayer extends ElementLayer {
  readonly #drawn = new Map<string, Drawn>();
  readonly #itemOf = new WeakMap<HTMLElement, MapItem>();
  readonly #pool: HTMLButtonElement[] = [];
  #labels: MarkerLabels;
  #selected: number | null = null;
  #pointed: number | null = null;
  #avatars: ReadonlyMap<number, MarkerAvatar> = new Map();
  /** The marker that last had the focus, if it is still drawn. */
  #visited: HTMLButtonElement | null = null;
  /** The marker that is the tab stop. */
  #stop: HTMLButtonElement | null = null;

  constructor(labels: MarkerLabels) {
    super();
    this.#labels = labels;
  }

  /** Returns the item that an event's target belongs to. */
  itemAt(target: EventTarget | null): MapItem | null {
    const button = target instanceof Element ? target.closest('button') : null;
    return (button && this.#itemOf.get(button)) ?? null;
  }

  show(items: readonly MapItem[], map: LeafletMap): void {
    const wanted = new Map(items.map((item) => [keyOf(item), item]));
    const focused = document.activeElement;
    const byKeyboard = this.itemAt(focused) !== null && focused?.matches(':focus-visible');
    for (const [key, { button }] of this.#drawn) if (!wanted.has(key)) this.#drop(key, button);
    for (const [key, item] of wanted) this.#draw(key, item);
    const [middle] = this.#order(map);
    // The cluster that was opened by keyboard is gone, so focus one of the markers that replaced it.
    if (byKeyboard && !focused?.isConnected) middle?.focus({ preventScroll: true });
  }

  /** Makes the focused marker the tab stop. */
  visit(button: HTMLButtonElement): void {
    this.#visited = button;
    this.#stopAt(button);
  }

  /** Focuses the nearest marker in the direction of an arrow key. @returns false if there is none */
  step(from: MapItem, key: string, map: LeafletMap): boolean {
    const drawn = [...this.#drawn.values()];
    const placeOf = ({ location: { lat, long } }: MapItem) => map.latLngToLayerPoint([lat, long]);
    const places = drawn.map(({ item }) => placeOf(item));
    const next = drawn[nextInDirection(placeOf(from), places, key)];
    next?.button.focus({ preventScroll: true });
    return next !== undefined;
  }

  select(id: number | null): void {
    const before = this.#selected;
    this.#selected = id;
    this.#redraw([before, id]);
  }

  /** Raises the marker of a park that is highlighted elsewhere, for example in a list. */
  point(id: number | null): void {
    const before = this.#pointed;
    this.#pointed = id;
    this.#redraw([before, id]);
  }

  /** Avatars by park ID. */
  setAvatars(avatars: ReadonlyMap<number, MarkerAvatar>): void {
    this.#avatars = avatars;
    this.#redrawAll();
  }

  setLabels(labels: MarkerLabels): void {
    this.#labels = labels;
    this.#redrawAll();
  }

  focus(id: number): void {
    this.#drawnPark(id)?.button.focus({ preventScroll: true });
  }

  #drawnPark(id: number): Drawn | undefined {
    return this.#drawn.get(keyOf({ type: 'park', id } as MapItem));
  }

  /** Redraws only these parks, so a tap does not wait for hundreds of others. */
  #redraw(ids: readonly (number | null)[]): void {
    for (const id of ids) {
      const drawn = id === null ? undefined : this.#drawnPark(id);
      if (drawn) this.#redrawMarker(drawn.button, drawn.item);
    }
  }

  #redrawAll(): void {
    for (const { item, button } of this.#drawn.values()) this.#redrawMarker(button, item);
  }

  #redrawMarker(button: HTMLButtonElement, item: MapItem): void {
    const is = (id: number | null) => item.type === 'park' && item.id === id;
    drawMarker(button, item, this.#labels, {
      selected: is(this.#selected),
      pointed: is(this.#pointed),
      avatar: (item.type === 'park' && this.#avatars.get(item.id)) || null,
    });
  }

  #draw(key: string, item: MapItem): void {
    const old = this.#drawn.get(key);
    const button = old?.button ?? this.#pool.pop() ?? createMarker();
    this.#drawn.set(key, { item, button });
    this.#itemOf.set(button, item);
    this.place(button, item.location);
    this.#redrawMarker(button, item);
  }

  #drop(key: string, button: HTMLButtonElement): void {
    this.#drawn.delete(key);
    this.#itemOf.delete(button);
    if (this.#visited === button) this.#visited = null;
    this.take(button);
    if (this.#pool.length < POOL) this.#pool.push(button);
  }

  /**
   * Sorts the elements from the centre of the map outwards, for screen readers. Only one is a tab stop: the map follows the focus,
   * so new markers would appear behind each stop. The focused element is never moved in the DOM, because it would lose the focus.
   * @returns the elements in this order
   */
  #order(map: LeafletMap): HTMLButtonElement[] {
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
    const buttons = sorted.map(({ button }) => button);
    this.#stopAt(this.#visited ?? buttons[0] ?? null);
    return buttons;
  }

  #stopAt(button: HTMLButtonElement | null): void {
    if (this.#stop === button) return;
    if (this.#stop) this.#stop.tabIndex = -1;
    if (button) button.tabIndex = 0;
    this.#stop = button;
  }
}
