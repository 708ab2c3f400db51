// Chooses a place by a click on the map, the device's location, or an address. Each way works alone and by keyboard.
import { Link } from '@tanstack/react-router';
import { Crosshair, LocateFixed } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { findAddress, type FoundPlace } from '#/features/places/queries/search-places.ts';
import { AddressSearch } from '#/features/places/components/address-search.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { HOME_ZOOM, startPlace } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { MapView } from '#/map/map-view.tsx';
import type { ParkMap } from '#/map/park-map.ts';
import { locate, useHere } from '#/platform/here.ts';
import { nativePlatform } from '#/platform/native.ts';
import { Button } from '#/ui/button.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import styles from './location-picker.module.css';

interface LocationPickerProps {
  value: LatLong | null;
  /** @param found the address. For a search result it is passed immediately, for a point on the map in a second call. */
  onChange: (place: LatLong, found?: FoundPlace) => void;
  /** The translated purpose of the place. */
  label: string;
  /** A translated error message, which marks the picker as invalid. */
  error?: string | null;
  /** True to start with the device's location, if the user allows it. */
  startHere?: boolean;
  /** True to show existing parks on the map. Tapping one displays its name. */
  parks?: boolean;
}

export default function LocationPicker(props: LocationPickerProps) {
  const { value, onChange, label, error, startHere = false, parks = false } = props;
  const t = useT();
  const location = useLocationNeed();
  const here = useHere();
  const noteId = useId();
  const [map, setMap] = useState<ParkMap | null>(null);
  const [start] = useState({ center: value ?? here.place ?? startPlace(), zoom: HOME_ZOOM });

  const language = useLanguage();
  const [known, setKnown] = useState<MapPark | null>(null);
  useEffect(() => {
    // Retry if loading failed before.
    if (parks) clusterClient().load(clusterClient().state().state === 'failed');
  }, [parks, language]);
  const hasValue = useRef(value !== null);
  /** The most recent point. Results for earlier points are ignored. */
  const latest = useRef<LatLong | null>(null);
  const onLatestChange = useRef(onChange);
  useEffect(() => {
    onLatestChange.current = onChange;
  });

  function pick(place: LatLong): void {
    latest.current = place;
    setKnown(null);
    onChange(place);
    void findAddress(place, language).then((found) => {
      if (found && latest.current === place) onLatestChange.current(place, found);
    });
  }

  function goTo({ lat, long }: LatLong, found?: FoundPlace): void {
    const place = { lat, long };
    latest.current = place;
    setKnown(null);
    onChange(place, found);
    map?.look({ center: place, zoom: HOME_ZOOM });
  }

  const goToHere = useRef(goTo);
  useEffect(() => {
    goToHere.current = goTo;
  });
  useEffect(() => {
    // Ignore a denied request, because the address and the map work without it.
    if (startHere && map && latest.current === null && !hasValue.current)
      locate().then((place) => {
        if (latest.current === null) goToHere.current(place);
      }, console.warn);
  }, [startHere, map]);

  async function takeDevicePlace(): Promise<void> {
    const place = await location.ask();
    // Do not look up the address, because this would send the device's location.
    if (place) goTo(place);
  }

  function pickMiddle(): void {
    // Stop the map's animation before reading its position.
    map?.leaflet.stop();
    if (map) pick(map.camera().center);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Handle Enter only on the map itself, because its links and buttons handle it themselves.
    if (event.key !== 'Enter' || event.target !== map?.leaflet.getContainer()) return;
    event.preventDefault();
    pickMiddle();
  }

  return (
    <FieldGroup
      label={label}
      hint={t('places.picker.hint')}
      error={error}
      className="grid-2"
      noteId={noteId}
    >
      <AddressSearch onPlace={(found) => goTo(found, found)} errorId={error ? noteId : undefined} />
      <div className={styles.map} data-wrong={error ? true : undefined} onKeyDown={onKeyDown}>
        <MapView
          camera={start}
          label={t('places.picker.map')}
          keys={t('places.picker.keys')}
          parks={parks ? 'places' : null}
          selected={known?.id ?? null}
          here={here.place}
          pin={value}
          onMap={setMap}
          onPark={setKnown}
          onPlace={pick}
        />
        <span className={styles.middle} aria-hidden />
      </div>
      <p role="status" className={styles.known}>
        {known && (
          <>
            {t('places.picker.known', { name: known.name })}{' '}
            {/* Open the park in another tab to keep the form's input. Native apps have only one window. */}
            {nativePlatform() === null && (
              <Link to="/parks/$parkId" params={{ parkId: known.id }} target="_blank">
                {t('ui.details')}
              </Link>
            )}
          </>
        )}
      </p>
      <div className="wrap-2">
        <Button
          variant="secondary"
          icon={LocateFixed}
          busy={location.locating}
          onClick={() => void takeDevicePlace()}
        >
          {t('places.picker.here')}
        </Button>
        <Button variant="secondary" icon={Crosshair} onClick={pickMiddle}>
          {t('places.picker.middle')}
        </Button>
      </div>
      <p role="status" className="visually-hidden">
        {value && t('places.picker.picked')}
      </p>
      {location.sheet}
    </FieldGroup>
  );
}
