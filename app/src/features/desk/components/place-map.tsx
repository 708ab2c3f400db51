// Where something is said to be, on the map; two places side by side, under one camera so that they can be compared.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { MapView } from '#/map/map-view.tsx';
import styles from './desk.module.css';

export interface NamedPlace {
  label: string;
  place: LatLong;
}

const CLOSE = 17;
const FAR = 3;
/** Half of a map is about as wide at the closest zoom, on a phone. In metres. */
const HALF_AT_CLOSE = 120;

/** From how near both places are seen, and from where. */
function cameraFor([first, ...others]: readonly [NamedPlace, ...NamedPlace[]]) {
  const last = (others.at(-1) ?? first).place;
  const metres = distanceBetween(first.place, last);
  const out = metres === 0 ? 0 : Math.ceil(Math.log2(metres / 2 / HALF_AT_CLOSE));
  return {
    center: { lat: (first.place.lat + last.lat) / 2, long: (first.place.long + last.long) / 2 },
    zoom: Math.min(CLOSE, Math.max(FAR, CLOSE - out)),
  };
}

export default function PlaceMap({ places }: { places: readonly [NamedPlace, ...NamedPlace[]] }) {
  const camera = cameraFor(places);
  const all = JSON.stringify(places);
  return (
    <div className={styles.places}>
      {places.map(({ label, place }, index) => (
        <figure key={index} className={styles.figure}>
          <figcaption className={styles.label}>
            <bdi>{label}</bdi>
          </figcaption>
          <div className={styles.map}>
            {/* Other places are another map: its camera is only where it starts. */}
            <MapView key={all} camera={camera} label={label} pin={place} onMap={() => undefined} />
          </div>
        </figure>
      ))}
    </div>
  );
}
