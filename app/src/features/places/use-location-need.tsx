// Asks for the person's location: explains why first, then the browser asks, then what to do after a denial.
import { useRef, useState } from 'react';
import { LocationExplained } from '#/features/places/components/location-explained.tsx';
import { dismissForGood, dismissForSession, locationNoticeDismissed } from './dismissal.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { LocationError } from '#/platform/device-location.ts';
import { currentHere, locate, locateQuietly } from '#/platform/here.ts';
import { showToast } from '#/ui/toast.ts';

const LocationDeniedSheet = lazyPart(
  () => import('#/features/places/components/location-denied-sheet.tsx'),
);

export function useLocationNeed() {
  const t = useT();
  const [notice, setNotice] = useState<'explain' | 'denied' | null>(null);
  /** The device is being asked. */
  const [locating, setLocating] = useState(false);
  const decided = useRef<((place: LatLong | null) => void) | null>(null);

  /** The person tapped on something that needs their location. Null after a denial, which this hook explains by itself. */
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

  /** For a screen that works without it; resolves once the person decided, or with null at once where they declined before. */
  async function askIfUndecided(): Promise<LatLong | null> {
    const place = await locateQuietly();
    if (place || locationNoticeDismissed()) return place;
    // Who has refused is asked again by a tap of theirs alone.
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
    /** A card that says what for; for the place where the screen has room. */
    explanation: notice === 'explain' && (
      <LocationExplained onAllow={() => void allow()} onLater={later} />
    ),
    /** The location-denied modal; render it once. */
    sheet: notice === 'denied' && (
      <LocationDeniedSheet
        onClose={later}
        onNever={() => {
          dismissForGood();
          setNotice(null);
        }}
      />
    ),
  };
}
