// The buttons that parks and clusters are on the map: made once, then changed in place and used again.
import type { MapCluster, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import styles from './markers.module.css';

export interface MarkerLabels {
  /** Read aloud, in the language of the page: the name and the dogs there now. */
  park(park: MapPark): string;
  cluster(cluster: MapCluster): string;
  /** A number as the language writes it. */
  number(value: number): string;
}

/** An empty button; `drawMarker` gives it its looks. */
export function createMarker(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  const shape = document.createElement('span');
  const badge = document.createElement('span');
  button.append(shape, badge);
  return button;
}

/** Draws an item as this marker; cheap when nothing changed. */
export function drawMarker(
  button: HTMLButtonElement,
  item: MapItem,
  labels: MarkerLabels,
  selected: boolean,
): void {
  const [shape, badge] = button.children as unknown as [HTMLElement, HTMLElement];
  if (item.kind === 'park') {
    setClass(button, `${styles.pin} ${selected ? styles.selected : ''}`);
    setClass(shape, styles.shape);
    setClass(badge, item.dogs > 0 ? styles.badge : styles.none);
    setNumber(badge, item.dogs > 0 ? labels.number(item.dogs) : '');
    setNumber(shape, '');
    button.setAttribute('aria-pressed', String(selected));
    button.setAttribute('aria-label', labels.park(item));
  } else {
    setClass(button, styles.cluster);
    setClass(shape, styles.token);
    setClass(badge, styles.none);
    setNumber(shape, labels.number(item.count));
    setNumber(badge, '');
    button.style.setProperty('--busy', String(Math.round(item.busy * 360)));
    button.removeAttribute('aria-pressed');
    button.setAttribute('aria-label', labels.cluster(item));
  }
}

/** Keeps Leaflet's own class on the element. */
function setClass(element: HTMLElement, name = ''): void {
  const wanted = element.classList.contains('leaflet-zoom-animated')
    ? `${name} leaflet-zoom-animated`
    : name;
  if (element.className !== wanted) element.className = wanted;
}

/** Drawn by the stylesheet: the label says it in words, and not every language has the digit in them. */
function setNumber(element: HTMLElement, text: string): void {
  if (element.dataset.number !== text) element.dataset.number = text;
}
