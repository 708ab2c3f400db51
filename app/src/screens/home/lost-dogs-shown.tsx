// Photos of lost dogs on the home map where they were last seen, and their cards in a sheet.
import { Siren } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { distanceBetween } from '#/core/distance.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { useSession } from '#/data/session/session.ts';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { useConsentLine } from '#/features/consents/use-consent-line.tsx';
import { LostCards } from '#/features/lost-dogs/components/lost-cards.tsx';
import type { LostCard } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { ElementLayer } from '#/map/element-layer.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { useHere } from '#/platform/here.ts';
import { LocationPicker } from '#/screens/shared/location-picker.tsx';
import { Avatar } from '#/ui/avatar.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../shared/photo-sizes.ts';

/** The button counts lost dogs within this many metres. */
const NEAR = 10_000;

export interface LostDogsShownProps {
  map: ParkMap;
  cards: readonly LostCard[];
  /** ID of the card to open. */
  openId: string | undefined;
}

/** Remembers the card that was closed, so that it does not open again on return to the map. */
let closed: string | undefined;

export default function LostDogsShown({ map, cards, openId }: LostDogsShownProps) {
  const t = useT();
  const { place } = useHere();
  const { guard, sheet } = useLoginGate();
  const { status } = useSession();
  const consent = useConsentLine(status === 'in');
  const [open, setOpen] = useState<readonly LostCard[] | null>(null);
  const [done, setDone] = useState(closed);
  const card = openId === done ? undefined : cards.find(({ id }) => id === openId);
  const shown = open ?? (card ? [card] : null);
  const markers = useMemo(
    () => cards.map((card) => ({ card, button: markerOf(card, t, () => setOpen([card])) })),
    [cards, t],
  );
  useEffect(() => {
    const layer = new ElementLayer();
    for (const { card, button } of markers) layer.place(button, card);
    map.leaflet.addLayer(layer);
    return () => void layer.remove();
  }, [map, markers]);
  const from = place ?? map.camera().center;
  const near = cards.filter((card) => distanceBetween(from, card) < NEAR);
  return (
    <>
      {markers.map(({ card: { id, name, photo }, button }) =>
        createPortal(
          <Avatar
            name={name}
            src={photo && photoUrl('lost-dogs', photo, PHOTO_WIDTH.thumb)}
            size={38}
          />,
          button,
          id,
        ),
      )}
      {near.length > 0 && (
        <IconButton
          variant="raised"
          className={styles.alarm}
          icon={Siren}
          label={t('lostDogs.title')}
          onClick={() => setOpen(near)}
        />
      )}
      <LostCards
        cards={cards}
        shown={shown}
        from={from}
        guard={guard}
        consent={consent}
        picker={(slot) => <LocationPicker {...slot} startHere />}
        onClose={() => {
          closed = openId;
          setDone(openId);
          setOpen(null);
        }}
      />
      {sheet}
    </>
  );
}

function markerOf(
  { name }: LostCard,
  t: ReturnType<typeof useT>,
  onClick: () => void,
): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = styles.marker ?? '';
  button.ariaLabel = t('lostDogs.marker', { name });
  button.addEventListener('click', (event) => {
    // Stop the event, because it must not also count as a tap on the map.
    event.stopPropagation();
    onClick();
  });
  return button;
}
