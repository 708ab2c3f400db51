// The user's position, if permitted: one store for the map, lists and forms.
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

/** Starts with the first subscriber: follows the permission, and refreshes the position when the app resumes. */
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

/** Returns the known position for code outside React, without requesting a new one. */
export const currentHere = (): Here => here.get();

/** A place other than the user's position to explore: an address or a city. */
export interface Elsewhere extends LatLong {
  label: string;
}

const elsewhere = createStore<Elsewhere | null>(null);

/** Sets the place from which distances and routes start; null returns to the user's position. */
export const setElsewhere = (place: Elsewhere | null): void => elsewhere.set(place);

export const useElsewhere = (): Elsewhere | null => useStore(elsewhere);

/** Start of distances and routes: the explored place, otherwise the user's position; null if there is neither. */
export function useStart(): LatLong | null {
  const other = useElsewhere();
  const { place } = useHere();
  return other ?? place;
}

export function useHere(): Here {
  return useSyncExternalStore(subscribe, currentHere);
}

/** Requests the position and prompts the user if needed. @throws LocationError */
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

/** Requests the position only if already permitted, and updates the permission. Never prompts, never throws. */
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
