// The buttons that parks and clusters are on the map: made once, then changed in place and used again.
import type { MapCluster, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import styles from './markers.module.css';

export interface MarkerLabels {
  /** Whether the dogs there now are drawn. */
  withDogs: boolean;
  /** Read aloud, in the language of the page: the name, and the dogs there now. */
  park(park: MapPark): string;
  cluster(cluster: MapCluster): string;
  number(value: number): string;
}

export interface MarkerFace {
  src: string | null;
  /** Read aloud, in the language of the page: who is there. */
  words: string;
  /** The person is there. */
  isOwn?: boolean;
}

/** From this many dogs on a pin grows no more. */
const FULLY_GROWN = 12;

/** An empty button; `drawMarker` gives it its looks. */
export function createMarker(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  // Tab stops where the layer says.
  button.tabIndex = -1;
  button.append(document.createElement('span'));
  return button;
}

/** Draws an item as this marker; cheap when nothing changed. */
export function drawMarker(
  button: HTMLButtonElement,
  item: MapItem,
  labels: MarkerLabels,
  { selected, pointed, face }: { selected: boolean; pointed: boolean; face: MarkerFace | null },
): void {
  const dogs = labels.withDogs ? item.dogs : 0;
  const isLively = dogs > 0;
  const [shape] = button.children as unknown as [HTMLElement];
  button.style.setProperty('--grow', String(Math.min(1, dogs / FULLY_GROWN)));
  if (item.kind === 'park') {
    const raised = isLively || selected || pointed || face ? styles.raised : styles.quiet;
    setClass(
      button,
      `${styles.pin} ${raised} ${selected ? styles.selected : ''} ${pointed ? styles.pointed : ''} ${face ? styles.friendly : ''} ${face?.isOwn ? styles.own : ''}`,
    );
    setClass(shape, styles.shape);
    setFace(shape, face);
    // Drawn by the stylesheet: the label says it in words, and not every language has the digit in them.
    setAttribute(shape, 'data-number', isLively ? labels.number(dogs) : '');
    setAttribute(button, 'aria-pressed', String(selected));
    const label = labels.park(item);
    setAttribute(button, 'aria-label', face ? `${label}. ${face.words}` : label);
  } else {
    setClass(button, `${styles.cluster} ${isLively ? styles.lively : ''}`);
    setClass(shape, styles.token);
    setFace(shape, null);
    setAttribute(shape, 'data-number', labels.number(isLively ? dogs : item.count));
    button.removeAttribute('aria-pressed');
    setAttribute(button, 'aria-label', labels.cluster(item));
  }
}

/** Keeps Leaflet's own class on the element. */
function setClass(element: HTMLElement, name = ''): void {
  const wanted = element.classList.contains('leaflet-zoom-animated')
    ? `${name} leaflet-zoom-animated`
    : name;
  if (element.className !== wanted) element.className = wanted;
}

/** To set what is there already is a change, too: styles and what screen readers read are worked out again. */
function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Only pins with a friend have elements for it; a photo that does not load leaves a paw. */
function setFace(shape: HTMLElement, face: MarkerFace | null): void {
  const old = shape.firstElementChild as HTMLElement | null;
  if (!face) {
    old?.remove();
    return;
  }
  const key = face.src ?? '';
  if (old?.dataset.face === key) return;
  const drawn = document.createElement('span');
  drawn.className = styles.face ?? '';
  drawn.dataset.face = key;
  if (face.src !== null) {
    const photo = document.createElement('img');
    photo.alt = '';
    photo.src = face.src;
    drawn.append(photo);
  }
  shape.replaceChildren(drawn);
}
