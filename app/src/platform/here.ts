// Where the person is, as far as they let us know: one store for the map, the list and the forms.
import { useSyncExternalStore } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { createStore, useStore } from '#/core/store.ts';
import {
  type DevicePlace,
  LocationError,
  type LocationPermission,
} from '#/platform/device-location.ts';
import { devicePlace, locationPermission, onLocationPermission } from '#/platform/geolocation.ts';
import { onResume } from '#/platform/lifecycle.ts';

export interface Here {
  place: DevicePlace | null;
  permission: LocationPermission | null;
}

const here = createStore<Here>({ place: null, permission: null });
let watching = false;

const change = (next: Partial<Here>) => here.set({ ...here.get(), ...next });

function subscribe(listener: () => void): () => void {
  const unsubscribe = here.subscribe(listener);
  if (!watching) watch();
  return unsubscribe;
}

/** From the first subscriber on: follows the permission, and looks again when the app comes back. */
function watch(): void {
  watching = true;
  onLocationPermission((permission) => {
    change({ permission, ...(permission === 'denied' && { place: null }) });
    if (permission === 'granted') void locateQuietly();
  });
  onResume(() => {
    if (here.get().place) void locateQuietly();
  });
}

/** For code outside React; it does not ask the device. */
export const currentHere = (): Here => here.get();

/** Another place that the person looks around in: an address or a city. */
export interface Elsewhere extends LatLong {
  label: string;
}

const elsewhere = createStore<Elsewhere | null>(null);

/** Ways on the map begin there until it is set to null. */
export const setElsewhere = (place: Elsewhere | null): void => elsewhere.set(place);

export const useElsewhere = (): Elsewhere | null => useStore(elsewhere);

/** Where ways begin: where the person looks around, else where they are; null where neither is known. */
export function useStart(): LatLong | null {
  const other = useElsewhere();
  const { place } = useHere();
  return other ?? place;
}

export function useHere(): Here {
  return useSyncExternalStore(subscribe, currentHere);
}

/** Finds the place, asking the person where they were never asked. Throws LocationError. */
export async function locate(): Promise<DevicePlace> {
  try {
    const place = await devicePlace();
    change({ place, permission: 'granted' });
    return place;
  } catch (error) {
    if (error instanceof LocationError && error.reason === 'denied')
      change({ place: null, permission: 'denied' });
    throw error;
  }
}

/** Finds the place only where that is allowed already; also learns the permission. Never asks, never throws. */
export async function locateQuietly(): Promise<DevicePlace | null> {
  const permission = await locationPermission();
  change({ permission });
  if (permission !== 'granted') return null;
  try {
    return await locate();
  } catch (error) {
    console.warn('No location:', error);
    return null;
  }
}
