// Which park's sheet is open: a tap, the address, and back and forward agree on it.
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { afterPaint } from '#/core/after-paint.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { HOME_ZOOM, type ParkMap } from '#/map/park-map.ts';

interface Selected {
  park: MapPark;
  /** Opened from the keyboard: the sheet should take the focus. */
  byKeyboard: boolean;
}

interface SelectedParkOptions {
  map: ParkMap | null;
  ready: boolean;
  /** What the address says; null: none. */
  parkId: number | null;
  /** The park that a link led to: the map looks at it. */
  linkedTo: number | null;
  /** Puts a park into the address, or takes it out. */
  onSelected: (parkId: number | null) => void;
}

export function useSelectedPark(options: SelectedParkOptions) {
  const { map, ready, parkId, linkedTo, onSelected } = options;
  const language = useLanguage();
  const [selected, setSelected] = useState<Selected | null>(null);
  /** The last choice; what is drawn follows it. */
  const chosen = useRef<number | null>(null);

  /** @returns when the tap has shown its effect: what it leads to follows then */
  async function choose(next: Selected | null): Promise<void> {
    const id = next?.park.id ?? null;
    chosen.current = id;
    // The pin answers the tap at once; sheet and cards are drawn after that has been painted, and only for the last choice.
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
      // Its name may be in another language now.
      setSelected((shown) => shown && park && { ...shown, park });
      return;
    }
    void choose(park && { park, byKeyboard: false });
    if (park && id === linkedTo) map?.look({ center: park.location, zoom: HOME_ZOOM }, false);
  });
  useEffect(() => {
    if (!ready) return;
    const found = parkId === null ? Promise.resolve(null) : clusterClient().find(parkId);
    void found.then((park) => followAddress(parkId, park));
  }, [parkId, ready, language]);

  return { selected, select, close, isChosen: (id: number | null) => chosen.current === id };
}
