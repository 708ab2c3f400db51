// The selected park, synchronised with taps, the URL and the history.
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { afterPaint } from '#/core/after-paint.ts';
import { HOME_ZOOM } from '#/core/place.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { ParkMap } from '#/map/park-map.ts';

interface Selected {
  park: MapPark;
  /** True if the sheet was opened with the keyboard and therefore takes the focus. */
  byKeyboard: boolean;
}

interface SelectedParkOptions {
  map: ParkMap | null;
  ready: boolean;
  /** Park ID from the URL; null if there is none. */
  parkId: number | null;
  /** The park that a link opened. The map is centred on it. */
  linkedTo: number | null;
  /** Sets or removes the park in the URL. */
  onSelected: (parkId: number | null) => void;
}

export function useSelectedPark(options: SelectedParkOptions) {
  const { map, ready, parkId, linkedTo, onSelected } = options;
  const language = useLanguage();
  const [selected, setSelected] = useState<Selected | null>(null);
  /** The most recently chosen park. Earlier choices are not rendered. */
  const chosen = useRef<number | null>(null);

  /** @returns a promise that resolves after the effect of the tap has been painted */
  async function choose(next: Selected | null): Promise<void> {
    const id = next?.park.id ?? null;
    chosen.current = id;
    // The pin changes immediately. Render the sheet and the cards after that has been painted, and only for the most recent choice.
    map?.select(id);
    await afterPaint();
    if (chosen.current === id) startTransition(() => setSelected(next));
  }

  function select(park: MapPark): void {
    const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    void choose({ park, byKeyboard }).then(() => onSelected(park.id));
  }

  function close(): void {
    if (selected && document.activeElement?.matches(':focus-visible')) map?.focus(selected.park.id);
    void choose(null).then(() => onSelected(null));
  }

  const followAddress = useEffectEvent((id: number | null, park: MapPark | null) => {
    if (id === chosen.current) {
      // The selection is unchanged, but the park's name depends on the language, so update it.
      setSelected((shown) => shown && park && { ...shown, park });
      return;
    }
    void choose(park && { park, byKeyboard: false });
    if (park && id === linkedTo) map?.look({ center: park.location, zoom: HOME_ZOOM }, false);
  });
  useEffect(() => {
    if (!ready) return undefined;
    let current = true;
    const found = parkId === null ? Promise.resolve(null) : clusterClient().find(parkId);
    void found.then((park) => current && followAddress(parkId, park));
    return () => {
      current = false;
    };
  }, [parkId, ready, language]);

  return { selected, select, close, isChosen: (id: number | null) => chosen.current === id };
}
