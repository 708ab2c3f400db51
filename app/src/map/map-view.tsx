// The map as a React component: creates it once, passes prop changes on, and destroys it on unmount.
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { currentLanguage, useLanguage, useT, type Translate } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { getConfig } from '#/platform/config.ts';
import type { LatLong } from '#/core/distance.ts';
import type { MapItem, MapPark } from '#/map/cluster-protocol.ts';
import { createParkMap, type Camera, type ParkMap } from '#/map/park-map.ts';
import { nativePlatform } from '#/platform/native.ts';
import { once } from '#/core/once.ts';
import type { MarkerLabels } from '#/map/marker-element.ts';
import styles from './map-view.module.css';

interface MapViewProps {
  /** Initial camera; use the map passed to `onMap` to move it later. */
  camera: Camera;
  /** Translated accessible name. */
  label: string;
  /** Translated description of the keyboard controls. */
  keys?: string;
  /** How to draw parks; null draws none. The parent makes the worker load them. */
  parks?: 'withDogs' | 'places' | null;
  selected?: number | null;
  here?: LatLong | null;
  /** A place selected on the map. */
  pin?: LatLong | null;
  /** Called with the map once it has been created, and with null when it is destroyed. */
  onMap: (map: ParkMap | null) => void;
  onPark?: (park: MapPark) => void;
  onPlace?: (place: LatLong) => void;
  onMove?: (camera: Camera, byUser: boolean) => void;
  onItems?: (items: readonly MapItem[]) => void;
  /** Called when tiles become available or unavailable. */
  onTiles?: (available: boolean) => void;
}

export function MapView(props: MapViewProps) {
  const { camera, label, keys, parks = null, selected = null, here = null, pin = null } = props;
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<ParkMap | null>(null);
  const [hasTiles, setHasTiles] = useState(true);
  const keysId = useId();
  const config = getConfig();
  const isInvented = config.map?.invented ?? false;
  const t = useT();
  const language = useLanguage();
  const labels = useMemo(
    () => parks && markerLabels(t, LANGUAGES[language].locale, parks === 'withDogs'),
    [parks, t, language],
  );

  const onMap = useEffectEvent((made: ParkMap | null) => props.onMap(made));
  const onPark = useEffectEvent((park: MapPark) => props.onPark?.(park));
  const onPlace = useEffectEvent((place: LatLong) => props.onPlace?.(place));
  const onMove = useEffectEvent((moved: Camera, byUser: boolean) => props.onMove?.(moved, byUser));
  const onItems = useEffectEvent((items: readonly MapItem[]) => props.onItems?.(items));
  const onTiles = useEffectEvent((available: boolean) => {
    // The demo's invented map has no tiles outside its town, which is not an error.
    setHasTiles(available || isInvented);
    props.onTiles?.(available || isInvented);
  });
  const make = useEffectEvent((element: HTMLElement): ParkMap => {
    const { tiles, map: own = null } = config;
    const made = createParkMap(element, {
      camera,
      labels,
      own,
      tileUrl: tiles.url,
      tiles: nativePlatform() === null ? 'uncached' : tiles.keep ? 'cached' : 'cleared',
      onPark: (park) => onPark(park),
      onPlace: (place) => onPlace(place),
      onMove: (moved, byUser) => onMove(moved, byUser),
      onItems: (items) => onItems(items),
      onTilesAvailable: (available) => onTiles(available),
      locale: () => LANGUAGES[currentLanguage()].locale,
    });
    made.select(selected);
    made.setHere(here);
    made.setPin(pin);
    return made;
  });

  useEffect(() => {
    // Create the map in a separate task: on slow phones, painting the screen and creating the map together block for too long.
    const timer = setTimeout(() => {
      if (!container.current) return;
      const made = make(container.current);
      map.current = made;
      onMap(made);
    });
    return () => {
      clearTimeout(timer);
      if (!map.current) return;
      onMap(null);
      map.current.destroy();
      map.current = null;
    };
  }, []);

  useEffect(() => {
    if (labels) map.current?.setLabels(labels);
  }, [labels]);
  useEffect(() => map.current?.followLanguage(), [language]);
  useEffect(() => map.current?.select(selected), [selected]);
  useEffect(() => map.current?.setHere(here), [here]);
  useEffect(() => map.current?.setPin(pin), [pin]);

  return (
    <div className={styles.frame}>
      <div
        ref={container}
        className={styles.canvas}
        role="application"
        aria-label={label}
        aria-describedby={keys && keysId}
      />
      <p id={keysId} hidden>
        {keys}
      </p>
      {isInvented ? (
        <p className={styles.credit} dir="ltr">
          <bdi>{t('map.invented')}</bdi>
        </p>
      ) : hasTiles ? (
        <p
          className={styles.credit}
          dir="ltr"
          // Links in the attribution open a new tab, so that they do not replace the app.
          onClickCapture={({ target }) => {
            const link = target instanceof Element && target.closest('a');
            if (link) Object.assign(link, { target: '_blank', rel: 'noreferrer' });
          }}
          // The HTML comes from the host's configuration, so it is trusted.
          dangerouslySetInnerHTML={{ __html: (config.map ?? config.tiles).attribution }}
        />
      ) : (
        <p className={styles.missing} role="status" dir="ltr">
          <bdi>{t('map.noPictures')}</bdi>
        </p>
      )}
    </div>
  );
}

/** @param withDogs whether dog counts are known and part of the labels */
function markerLabels(t: Translate, locale: string, withDogs: boolean): MarkerLabels {
  const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }));
  return {
    withDogs,
    park: ({ name, dogs }) => (withDogs ? t('map.park', { name, dogs }) : name),
    cluster: ({ count, dogs }) =>
      withDogs ? t('map.clusterWithDogs', { count, dogs }) : t('map.cluster', { count }),
    // All supported languages format small numbers in the same way, so avoid creating a formatter, which takes 60 ms of the first
    // render on a slow phone.
    number: (value) => (value < 1000 ? String(value) : compact().format(value)),
  };
}
