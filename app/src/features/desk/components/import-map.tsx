// Shows the parks of an imported file on the map, each as a dot coloured by the outcome of its row.
import { type KeyboardEvent, useEffect, useState } from 'react';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { startPlace } from '#/core/place.ts';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { MapView } from '#/map/map-view.tsx';
import type { ParkMap } from '#/map/park-map.ts';
import { addSvgOverlay, draw } from '#/map/svg-overlay.ts';
import type { ImportedPlace } from '../../../../../shared/import-report.ts';
import styles from './desk.module.css';

const MAX_ZOOM = 16;
const RADIUS = 6;
const [PADDING, FALLBACK_ZOOM] = [24, 10];

export default function ImportMap({ places }: { places: readonly ImportedPlace[] }) {
  const text = useDeskText();
  const [map, setMap] = useState<ParkMap | null>(null);
  const [chosen, setChosen] = useState<ImportedPlace | null>(null);
  const named = places.find((one) => one === chosen) ?? null;
  const [camera] = useState({ center: startPlace(), zoom: FALLBACK_ZOOM });

  useEffect(() => {
    if (!map) return;
    const points = places.map(({ lat, long }): [number, number] => [lat, long]);
    map.leaflet.fitBounds(points, {
      padding: [PADDING, PADDING],
      maxZoom: MAX_ZOOM,
      animate: false,
    });
    const overlay = addSvgOverlay(map.leaflet, (svg, project) => {
      for (const place of places) {
        const { x, y } = project(place);
        const dot = draw(svg, 'circle', styles.dot, { cx: x, cy: y, r: RADIUS });
        dot.dataset.outcome = place.outcome;
      }
    });
    return overlay.remove;
  }, [map, places]);

  /** Selects the park nearest to a place and shows its row. */
  function nameNearest(place: LatLong): void {
    const nearest = places
      .map((one) => ({ one, metres: distanceBetween(one, place) }))
      .reduce((best, next) => (next.metres < best.metres ? next : best));
    setChosen(nearest.one);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.target !== map?.leaflet.getContainer()) return;
    event.preventDefault();
    nameNearest(map.camera().center);
  }

  return (
    <div className="grid-2">
      <div className={styles.map} onKeyDown={onKeyDown}>
        <MapView
          camera={camera}
          label={text.imports.map}
          keys={text.imports.mapKeys}
          pin={named}
          onMap={setMap}
          onPlace={nameNearest}
        />
      </div>
      <p role="status" className="soft">
        {named
          ? fill(text.imports.place, {
              row: named.row,
              name: `\u2068${named.name}\u2069`,
              outcome: text.imports.outcome[named.outcome],
            })
          : text.imports.mapHint}
      </p>
    </div>
  );
}
