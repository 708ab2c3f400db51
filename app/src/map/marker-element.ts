// Park and cluster buttons on the map. They are updated in place and reused.
import type { MapCluster, MapItem, MapPark } from '#/map/cluster-protocol.ts';
import styles from './markers.module.css';

export interface MarkerLabels {
  /** Draws dog counts. */
  withDogs: boolean;
  /** Translated accessible name: the park and the dogs there now. */
  park(park: MapPark): string;
  cluster(cluster: MapCluster): string;
  number(value: number): string;
}

export interface MarkerAvatar {
  src: string | null;
  /** Translated: names of the dogs there. */
  label: string;
  /** True if the user is at this park. */
  isOwn?: boolean;
}

/** Number of dogs at which a pin has its full size. */
const FULLY_GROWN = 12;

/** Creates an empty button to pass to `drawMarker`. */
export function createMarker(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  // The layer decides which marker is the tab stop.
  button.tabIndex = -1;
  button.append(document.createElement('span'));
  return button;
}

/** Updates a button to show an item; fast if nothing has changed. */
export function drawMarker(
  button: HTMLButtonElement,
  item: MapItem,
  labels: MarkerLabels,
  {
    selected,
    pointed,
    avatar,
  }: { selected: boolean; pointed: boolean; avatar: MarkerAvatar | null },
): void {
  const dogs = labels.withDogs ? item.dogs : 0;
  const isLively = dogs > 0;
  const [shape] = button.children as unknown as [HTMLElement];
  button.style.setProperty('--grow', String(Math.min(1, dogs / FULLY_GROWN)));
  if (item.type === 'park') {
    const raised = isLively || selected || pointed || avatar ? styles.raised : styles.quiet;
    setClass(
      button,
      `${styles.pin} ${raised} ${selected ? styles.selected : ''} ${pointed ? styles.pointed : ''} ${avatar ? styles.friendly : ''} ${avatar?.isOwn ? styles.own : ''}`,
    );
    setClass(shape, styles.shape);
    setAvatar(shape, avatar);
    // The stylesheet renders the number from this attribute. It cannot be text, because the accessible name contains it as a word.
    setAttribute(shape, 'data-number', isLively ? labels.number(dogs) : '');
    setAttribute(button, 'aria-pressed', String(selected));
    const label = labels.park(item);
    setAttribute(button, 'aria-label', avatar ? `${label}. ${avatar.label}` : label);
  } else {
    setClass(button, `${styles.cluster} ${isLively ? styles.lively : ''}`);
    setClass(shape, styles.token);
    setAvatar(shape, null);
    setAttribute(shape, 'data-number', labels.number(isLively ? dogs : item.count));
    button.removeAttribute('aria-pressed');
    setAttribute(button, 'aria-label', labels.cluster(item));
  }
}

/** Replaces the classes but keeps leaflet-zoom-animated, which Leaflet adds and needs for zoom animations. */
function setClass(element: HTMLElement, name = ''): void {
  const wanted = element.classList.contains('leaflet-zoom-animated')
    ? `${name} leaflet-zoom-animated`
    : name;
  if (element.className !== wanted) element.className = wanted;
}

/** Skips unchanged values, because setting an attribute again would recalculate styles and the accessibility tree. */
function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Only pins with a friend have these elements. If the photo fails to load, a paw is shown. */
function setAvatar(shape: HTMLElement, avatar: MarkerAvatar | null): void {
  const old = shape.firstElementChild as HTMLElement | null;
  if (!avatar) {
    old?.remove();
    return;
  }
  const key = avatar.src ?? '';
  if (old?.dataset.avatar === key) return;
  const drawn = document.createElement('span');
  drawn.className = styles.avatar ?? '';
  drawn.dataset.avatar = key;
  if (avatar.src !== null) {
    const photo = document.createElement('img');
    photo.alt = '';
    photo.src = avatar.src;
    drawn.append(photo);
  }
  shape.replaceChildren(drawn);
}
