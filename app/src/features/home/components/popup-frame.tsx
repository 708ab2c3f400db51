// The sheet of the selected park: dragging it up opens the park's page, dragging it down closes it. Its content is a slot.
import { Info, Navigation, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
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
  /** A raised IconButton that shares the park. */
  share: ReactNode;
  /** Replaces the facts once opened. */
  directions: ReactNode;
  onDirections: () => void;
}

export function PopupFrame(props: PopupFrameProps) {
  const { park, byKeyboard, close, onOpen, photos, action, share, directions } = props;
  const t = useT();
  const { sheet: card, handlers: drag } = useSheetDrag({ onUp: onOpen, onDown: close });

  // Scroll the sheet into view, because it opens below the visible area if the page is scrolled.
  useEffect(() => void card.current?.scrollIntoView({ block: 'nearest' }), [card]);

  useEffect(() => {
    if (byKeyboard) card.current?.focus({ preventScroll: true });
  }, [byKeyboard, card]);

  const isDirected = Boolean(directions);
  const wasDirected = useRef(isDirected);
  useEffect(() => {
    if (wasDirected.current === isDirected) return;
    wasDirected.current = isDirected;
    // The pressed button has been removed with the old content, so move the lost focus to the sheet.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [isDirected, card]);

  return (
    <section
      ref={card}
      className={styles.card}
      tabIndex={-1}
      aria-label={park.name}
      data-acts-below
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
