// The sheet of the selected park. Dragging it up opens the park's page, and dragging it down closes it.
import { Info, Navigation, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { afterPaint } from '#/core/after-paint.ts';
import { useSheetDrag } from '#/features/home/use-sheet-drag.ts';
import { useT } from '#/i18n/i18n.ts';
import type { MapPark } from '#/map/cluster-protocol.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './popup-frame.module.css';

interface PopupFrameProps {
  park: MapPark;
  byKeyboard: boolean;
  close: () => void;
  onOpen: () => void;
  photos: ReactNode;
  children: ReactNode;
  action: ReactNode;
  /** The button that shares the park, a raised IconButton. */
  share: ReactNode;
  /** The directions, which replace the facts when opened. */
  directions: ReactNode;
  onDirections: () => void;
}

export function PopupFrame(props: PopupFrameProps) {
  const { park, byKeyboard, close, onOpen, photos, action, share, directions } = props;
  const t = useT();
  const { sheet: card, handlers: drag } = useSheetDrag({ onUp: onOpen, onDown: close });

  // If the page is scrolled, the sheet opens outside of the visible area, so scroll it into view. Before the paint, scrolling would
  // compute the layout within the long task that renders the sheet.
  useEffect(() => {
    void afterPaint().then(() => card.current?.scrollIntoView({ block: 'nearest' }));
  }, [card]);

  useEffect(() => {
    if (byKeyboard) card.current?.focus({ preventScroll: true });
  }, [byKeyboard, card]);

  const isDirected = Boolean(directions);
  const wasDirected = useRef(isDirected);
  useEffect(() => {
    if (wasDirected.current === isDirected) return;
    wasDirected.current = isDirected;
    // The pressed button has been removed, so focus the sheet.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [isDirected, card]);

  return (
    <section
      ref={card}
      className={styles.card}
      tabIndex={-1}
      aria-label={park.name}
      data-bottom-buttons
    >
      <div className={styles.tools}>
        {!directions && share}
        <IconButton variant="raised" icon={X} label={t('ui.sheet.close')} onClick={close} />
      </div>
      {directions || (
        <>
          {photos}
          <div {...drag} className={styles.text}>
            <span className={styles.grip} aria-hidden />
            <h2 className={styles.name} title={park.name}>
              <bdi>{park.name}</bdi>
            </h2>
            {props.children}
          </div>
          <div className={styles.actions}>
            {action}
            <Button variant="secondary" icon={Navigation} onClick={props.onDirections}>
              {t('directions.button')}
            </Button>
            <ButtonLink
              to="/parks/$parkId"
              params={{ parkId: park.id }}
              variant="secondary"
              icon={Info}
            >
              {t('ui.details')}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  );
}
