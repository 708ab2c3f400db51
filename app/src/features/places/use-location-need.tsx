// Asks for the person's location: explains why first, then the browser asks, then what to do after a denial.
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { LocationError } from '#/platform/device-location.ts';
import { currentHere, locate, locateQuietly } from '#/platform/here.ts';
import { Button } from '#/ui/button.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { showToast } from '#/ui/toast.ts';
import styles from './use-location-need.module.css';

const LocationDeniedSheet = lazyPart(
  () => import('#/features/places/components/location-denied-sheet.tsx'),
);

const SESSION_KEY = 'locationLater';
/** Where the session's storage is forbidden, the page remembers. */
let postponed = false;

/** Whether the location may not be asked for again: 'maybe later' lasts for this session, 'don't show again' for ever. */
function locationNoticeDismissed(): boolean {
  if (postponed || readLocal('locationDismissed') !== null) return true;
  try {
    return sessionStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** 'Maybe later'. */
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
    /** A line that says what for; for the place where the screen has room. */
    explanation: notice === 'explain' && (
      <LocationExplained onAllow={() => void allow()} onLater={later} />
    ),
    /** The location-denied modal; render it once. */
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

/** Says what the location is for before the browser asks for it. */
function LocationExplained({ onAllow, onLater }: { onAllow: () => void; onLater: () => void }) {
  const t = useT();
  const isShown = useFloatingCard('location', true);
  return (
    isShown && (
      <section className={styles.card} aria-label={t('places.location.title')}>
        <p className={styles.text}>{t('places.location.text')}</p>
        <Button onClick={onAllow}>{t('ui.useLocation')}</Button>
        <IconButton icon={X} size={18} label={t('ui.notNow')} onClick={onLater} />
      </section>
    )
  );
}
