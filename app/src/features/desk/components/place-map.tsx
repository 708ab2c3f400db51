// Shows one position on a map, or two side by side at the same zoom.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { MapView } from '#/map/map-view.tsx';
import styles from './desk.module.css';

export interface NamedPlace {
  label: string;
  place: LatLong;
}

const CLOSE = 17;
const FAR = 3;
/** Approximate distance in metres from the centre to the edge of a map at the closest zoom on a phone. */
const HALF_AT_CLOSE = 120;

/** Returns the centre and zoom that show both positions. */
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
            {/* A new key remounts the map, because `camera` is only its initial state. */}
            <MapView key={all} camera={camera} label={label} pin={place} onMap={() => undefined} />
          </div>
        </figure>
      ))}
    </div>
  );
}
