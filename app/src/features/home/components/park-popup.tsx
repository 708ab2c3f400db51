// The sheet of the park whose marker was tapped: dragged up it is the park's page, dragged down it is gone. What it says is a slot.
import { Info, Navigation, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useSheetDrag } from '#/features/home/use-sheet-drag.ts';
import { useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './park-popup.module.css';

interface ParkPopupProps {
  park: MapPark;
  map: ParkMap;
  byKeyboard: boolean;
  close: () => void;
  /** To the park's page. */
  onOpen: () => void;
  photos: ReactNode;
  /** Rating, who is there, the verdict, facts. */
  children: ReactNode;
  /** The check-in. */
  action: ReactNode;
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
  map,
  byKeyboard,
  close,
  onOpen,
  photos,
  children,
  action,
  directions,
  onDirections,
}: ParkPopupProps) {
  const t = useT();
  const { sheet: card, handlers: drag } = useSheetDrag({ onUp: onOpen, onDown: close });

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
  }, [byKeyboard, card]);

  const isDirected = Boolean(directions);
  const wasDirected = useRef(isDirected);
  useEffect(() => {
    if (wasDirected.current === isDirected) return;
    wasDirected.current = isDirected;
    // The pressed button is removed with this content.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [isDirected, card]);

  return (
    <section ref={card} className={styles.card} tabIndex={-1} aria-label={park.name}>
      <IconButton icon={X} label={t('home.park.close')} className={styles.close} onClick={close} />
      {directions || (
        <>
          {photos}
          <div {...drag} className={styles.words}>
            <span className={styles.grip} aria-hidden />
            <h2 className={styles.name} title={park.name}>
              <bdi>{park.name}</bdi>
            </h2>
            {children}
          </div>
          <div className={styles.actions}>
            {action}
            <Button variant="secondary" icon={Navigation} onClick={onDirections}>
              {t('home.park.directions')}
            </Button>
            <ButtonLink
              to="/parks/$parkId"
              params={{ parkId: park.id }}
              variant="secondary"
              icon={Info}
            >
              {t('home.park.details')}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  );
}
