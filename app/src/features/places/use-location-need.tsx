// Requests the user's location. Explains the reason, requests the browser's permission, and shows help after a denial.
import { useRef, useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { LocationError } from '#/platform/device-location.ts';
import { currentHere, locate, locateQuietly } from '#/platform/here.ts';
import { showToast } from '#/ui/toast.ts';

const LocationDeniedSheet = lazyPart(
  () => import('#/features/places/components/location-denied-sheet.tsx'),
);

const SESSION_KEY = 'locationLater';
/** Used if session storage is blocked. */
let postponed = false;

/** Returns true if the user dismissed the prompt. 'Maybe later' lasts for the session, 'don't show again' permanently. */
function locationNoticeDismissed(): boolean {
  if (postponed || readLocal('locationDismissed') !== null) return true;
  try {
    return sessionStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** Postpones the prompt until the next session. */
function dismissForSession(): void {
  postponed = true;
  try {
    sessionStorage.setItem(SESSION_KEY, 'yes');
  } catch (error) {
    console.warn('No storage for this session:', error);
  }
}

export function useLocationNeed() {
  const t = useT();
  const [notice, setNotice] = useState<'explain' | 'denied' | null>(null);
  /** True while the device's location is being requested. */
  const [locating, setLocating] = useState(false);
  const decided = useRef<((place: LatLong | null) => void) | null>(null);

  /** Call this when the user taps something that needs the location. Returns null after a denial, which this hook explains. */
  async function ask(): Promise<LatLong | null> {
    setLocating(true);
    try {
      return await locate();
    } catch (error) {
      const denied = error instanceof LocationError && error.reason === 'denied';
      if (denied && !locationNoticeDismissed()) setNotice('denied');
      else showToast(t(denied ? 'places.location.isDenied' : 'places.location.unknown'));
      return null;
    } finally {
      setLocating(false);
    }
  }

  /**
   * For screens that work without a location. Resolves when the user has decided, or immediately with null if they denied it
   * earlier.
   */
  async function askIfUndecided(): Promise<LatLong | null> {
    const place = await locateQuietly();
    if (place || locationNoticeDismissed()) return place;
    // After a denial, request the permission again only if the user taps a button for it.
    if (currentHere().permission !== 'prompt') return null;
    setNotice('explain');
    return new Promise((resolve) => {
      decided.current = resolve;
    });
  }

  async function allow(): Promise<void> {
    setNotice(null);
    decided.current?.(await ask());
  }

  function later(): void {
    dismissForSession();
    setNotice(null);
    decided.current?.(null);
  }

  return {
    locating,
    ask,
    askIfUndecided,
    /** True while the screen must explain the request, which the user can `allow` or postpone with `later`. */
    isUndecided: notice === 'explain',
    allow,
    later,
    /** The sheet about a denied location. Render it once. */
    sheet: notice === 'denied' && (
      <LocationDeniedSheet
        onClose={later}
        onNever={() => {
          writeLocal('locationDismissed', 'yes');
          setNotice(null);
        }}
      />
    ),
  };
}
