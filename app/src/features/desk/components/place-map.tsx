// Where a park is said to be, on the map.
import type { ParkSummary } from '#/features/desk/queries/desk.ts';
import { MapView } from '#/map/map-view.tsx';
import styles from './desk.module.css';

const CLOSE = 17;

export default function PlaceMap({ park, label }: { park: ParkSummary; label: string }) {
  const place = { lat: park.lat, long: park.long };
  return (
    <div className={styles.map}>
      {/* Another park is another map: its camera is only where it starts. */}
      <MapView
        key={park.id}
        camera={{ center: place, zoom: CLOSE }}
        label={label}
        labels={null}
        pin={place}
        onMap={() => undefined}
      />
    </div>
  );
}
