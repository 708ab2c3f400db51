// The card of the park whose marker was tapped. Photos, facts and directions are slots: the route fills them from other features.
import { Info, MapPin, Navigation, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { distanceBetween, formatDistance } from '#/core/distance.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { useHere } from '#/platform/here.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Chip } from '#/ui/chip.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './park-popup.module.css';

interface ParkPopupProps {
  park: MapPark;
  /** Now; null: nobody knows. */
  dogs: number | null;
  map: ParkMap;
  byKeyboard: boolean;
  close: () => void;
  photos: ReactNode;
  chips: ReactNode;
  /** In place of the facts, once somebody asked for them. */
  directions: ReactNode;
  onDirections: () => void;
}

/** Pixels over the map that the search box covers. */
const TOP = 72;
/** Pixels between the card and the bottom of the map. */
const BELOW = 28;

export function ParkPopup({
  park,
  dogs,
  map,
  byKeyboard,
  close,
  photos,
  chips,
  directions,
  onDirections,
}: ParkPopupProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const { place } = useHere();
  const card = useRef<HTMLElement>(null);

  const reveal = useEffectEvent((card: Element) => {
    const { left, right, width, height } = card.getBoundingClientRect();
    const whole = map.leaflet.getContainer().getBoundingClientRect();
    // In a wide window the card stands at one side; there, the marker is moved beside it.
    const isBeside = width < whole.width * 0.7;
    const isAtLeft = left - whole.left < whole.right - right;
    map.reveal(park.location, {
      top: isBeside ? 0 : TOP,
      bottom: isBeside ? 0 : height + BELOW,
      left: isBeside && isAtLeft ? right - whole.left : 0,
      right: isBeside && !isAtLeft ? whole.right - left : 0,
    });
  });
  useEffect(() => {
    if (!card.current) return;
    if (byKeyboard) card.current.focus({ preventScroll: true });
    // The card grows when its facts arrive: the marker stays above it.
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) reveal(entry.target);
    });
    sizes.observe(card.current);
    return () => sizes.disconnect();
  }, [byKeyboard]);

  const isDirected = Boolean(directions);
  const wasDirected = useRef(isDirected);
  useEffect(() => {
    if (wasDirected.current === isDirected) return;
    wasDirected.current = isDirected;
    // The pressed button is removed with this content.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [isDirected]);

  return (
    <section ref={card} className={styles.card} tabIndex={-1} aria-label={park.name}>
      <IconButton icon={X} label={t('home.park.close')} className={styles.close} onClick={close} />
      {directions || (
        <>
          {photos}
          <div className={styles.words}>
            <h2 className={styles.name} title={park.name}>
              <bdi>{park.name}</bdi>
            </h2>
            <p className={styles.line}>
              {dogs !== null && (
                <Chip tone={dogs > 0 ? 'ball' : 'neutral'}>
                  {t('parks.dogsNow', { count: dogs })}
                </Chip>
              )}
              {place && (
                <Chip icon={MapPin}>
                  {formatDistance(distanceBetween(place, park.location), locale)}
                </Chip>
              )}
              {chips}
            </p>
          </div>
          <div className={styles.actions}>
            <Button variant="secondary" icon={Navigation} onClick={onDirections}>
              {t('home.park.directions')}
            </Button>
            <ButtonLink
              to="/parks/$parkId"
              params={{ parkId: park.id }}
              icon={Info}
              className={styles.details}
            >
              {t('home.park.details')}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  );
}
