// Appoints a town's representative. The administrator taps the parks on the map, or the corners of an area around them.
import { useQuery } from '@tanstack/react-query';
import { Crosshair, Undo2 } from 'lucide-react';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useState } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { startPlace } from '#/core/place.ts';
import { nameForTown } from '#/features/desk/commands/site.ts';
import { ReauthenticateSheet } from '#/features/desk/components/reauthenticate-sheet.tsx';
import { MAX_TOWN } from '#/features/desk/desk-limits.ts';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { membersQueryOptions } from '#/features/desk/queries/desk.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import type { ParkMap } from '#/map/park-map.ts';
import { addSvgOverlay, draw, pathOf } from '#/map/svg-overlay.ts';
import { Button } from '#/ui/button.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import styles from './desk.module.css';

interface TownFormProps {
  userId: string;
  /** @param code the code that opens the desk for the user; empty if it is already open */
  onNamed: (code: string) => void;
}

export default function TownForm({ userId, onNamed }: TownFormProps) {
  const text = useDeskText();
  const language = useLanguage();
  const towns = useQuery(membersQueryOptions()).data?.map((member) => member.town);
  const [name, setName] = useState('');
  const [parks, setParks] = useState<readonly MapPark[]>([]);
  const [corners, setCorners] = useState<readonly LatLong[]>([]);
  const [problem, setProblem] = useState<'noTown' | 'few' | null>(null);
  const [proving, setProving] = useState(false);
  const [map, setMap] = useState<ParkMap | null>(null);
  const [camera] = useState({ center: startPlace(), zoom: 15 });
  const town = name.trim();

  useEffect(() => clusterClient().load(), [language]);
  useEffect(() => {
    if (!map || corners.length === 0) return;
    const overlay = addSvgOverlay(map.leaflet, (svg, project) => {
      draw(svg, 'path', styles.area).setAttribute('d', `${pathOf(corners, project)}Z`);
      for (const { x, y } of corners.map(project)) {
        const dot = draw(svg, 'circle', styles.area);
        for (const [key, value] of Object.entries({ cx: x, cy: y, r: 5 }))
          dot.setAttribute(key, String(value));
      }
    });
    return overlay.remove;
  }, [map, corners]);

  function mark(corner: LatLong): void {
    setCorners([...corners, corner]);
    setProblem(null);
  }
  function markMiddle(): void {
    // Stop the map's animation before reading its position.
    map?.leaflet.stop();
    if (map) mark(map.camera().center);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.target !== map?.leaflet.getContainer()) return;
    event.preventDefault();
    markMiddle();
  }
  function togglePark(park: MapPark): void {
    const others = parks.filter(({ id }) => id !== park.id);
    setParks(others.length < parks.length ? others : [...parks, park]);
    setProblem(null);
  }
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const marked = corners.length === 0 ? parks.length > 0 : corners.length > 2;
    const keeps = corners.length === 0 && towns?.includes(town);
    const found = town === '' ? 'noTown' : marked || keeps ? null : 'few';
    setProblem(found);
    if (found === null) setProving(true);
    else focusFirstProblem();
  }

  return (
    <>
      <form noValidate className={styles.stack} onSubmit={submit}>
        <TextField
          label={text.naming.town}
          hint={text.naming.townHint}
          maxLength={MAX_TOWN}
          value={name}
          error={problem === 'noTown' ? text.naming.noTown : null}
          onChange={(event) => setName(event.target.value)}
        />
        <FieldGroup
          label={text.naming.map}
          hint={text.naming.about}
          error={problem === 'few' ? text.naming.few : null}
          className="grid-2"
        >
          <div className={styles.map} onKeyDown={onKeyDown}>
            <MapView
              camera={camera}
              label={text.naming.map}
              keys={text.naming.keys}
              parks="places"
              onMap={setMap}
              onPark={togglePark}
              onPlace={mark}
            />
            <span className={styles.middle} aria-hidden />
          </div>
          <p role="status">
            {fill(text.naming.marked, {
              parks: parks.map((park) => `\u2068${park.name}\u2069`).join(', ') || '–',
              corners: corners.length,
            })}
          </p>
          <div className="wrap-2">
            <Button variant="secondary" icon={Crosshair} onClick={markMiddle}>
              {text.naming.corner}
            </Button>
            <Button
              variant="secondary"
              icon={Undo2}
              disabled={corners.length === 0}
              onClick={() => setCorners(corners.slice(0, -1))}
            >
              {text.naming.undo}
            </Button>
          </div>
        </FieldGroup>
        <Button type="submit">{text.naming.name}</Button>
      </form>
      {proving && (
        <ReauthenticateSheet
          title={text.naming.name}
          about={text.naming.abilities}
          onClose={() => setProving(false)}
          onReauthenticated={async () => {
            const code = await nameForTown(userId, { town, parks, corners });
            setProving(false);
            onNamed(code);
          }}
        />
      )}
    </>
  );
}
