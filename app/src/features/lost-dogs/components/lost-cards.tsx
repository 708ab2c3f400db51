// The cards of lost dogs around: the face, the name, where it was last seen; one tap says where it is.
import { Eye, Flag } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { distanceBetween, formatDistance, type LatLong } from '#/core/distance.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { newUuid } from '#/core/uuid.ts';
import { photoUrl } from '#/data/photos/photo-url.ts';
import { ReportSheet } from '#/data/reports/report-sheet.tsx';
import { useReportCard } from '#/features/lost-dogs/commands/lost-dog.ts';
import { useReportSighting } from '#/features/lost-dogs/commands/report-sighting.command.ts';
import { useSightingPhoto } from '#/features/lost-dogs/commands/sighting-photo.command.ts';
import { LostPlace, type PickerSlot } from '#/features/lost-dogs/components/lost-place.tsx';
import type { LostCard } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showError, showToast } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-widths.ts';

interface LostCardsProps {
  cards: readonly LostCard[];
  /** Distances are from there. */
  from: LatLong;
  /** Runs what needs a person who agreed to the rules. @param text translated: what for */
  gate: (text: string, action: () => void) => void;
  picker: (slot: PickerSlot) => ReactNode;
  onClose: () => void;
}

export function LostCards({ cards, from, gate, picker, onClose }: LostCardsProps) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const [seen, setSeen] = useState<LostCard | null>(null);
  const [reported, setReported] = useState<string | null>(null);
  const sighting = useReportSighting();
  const addPhoto = useSightingPhoto();
  const report = useReportCard();

  const send = async (card: LostCard, place: LatLong, photo: File | null) => {
    const id = newUuid();
    try {
      const outcome = await sighting.mutateAsync({
        id,
        lostId: card.id,
        lat: place.lat,
        long: place.long,
      });
      if (photo) await addPhoto.mutateAsync({ id, file: photo });
      if (outcome !== 'queued') showToast(t('lostDogs.thanks'), { kind: 'success' });
      onClose();
    } catch (error) {
      showError(error);
    }
  };

  return (
    <>
      <Sheet onClose={onClose} title={t('lostDogs.title')}>
        <ul className="column-3">
          {cards.map((card) => (
            <Card as="li" key={card.id} className={styles.card}>
              <Avatar
                name={card.name}
                src={card.photo && photoUrl('lost-dogs', card.photo, PHOTO_WIDTH.thumb)}
                size={72}
              />
              <div className={styles.texts}>
                <strong>
                  <bdi>{card.name}</bdi>
                </strong>
                <p className={styles.quiet}>
                  {t('lostDogs.lastSeen', {
                    ago: timeAgo(card.lost_at, now, locale),
                    distance: formatDistance(distanceBetween(from, card), locale),
                  })}
                </p>
              </div>
              {card.mine ? (
                <p className={styles.quiet}>{t('lostDogs.mine')}</p>
              ) : (
                <>
                  <Button icon={Eye} onClick={() => gate(t('lostDogs.gate'), () => setSeen(card))}>
                    {t('lostDogs.seen')}
                  </Button>
                  <IconButton
                    icon={Flag}
                    label={t('lostDogs.report', { name: card.name })}
                    onClick={() => gate(t('lostDogs.reportGate'), () => setReported(card.id))}
                  />
                </>
              )}
            </Card>
          ))}
        </ul>
      </Sheet>
      {seen && (
        <LostPlace
          title={t('lostDogs.seenTitle', { name: seen.name })}
          note={t('lostDogs.seenNote')}
          send={t('lostDogs.send')}
          withPhoto
          busy={sighting.isPending || addPhoto.isPending}
          picker={picker}
          onSend={(place, photo) => void send(seen, place, photo)}
          onClose={() => setSeen(null)}
        />
      )}
      {reported && (
        <ReportSheet
          title={t('lostDogs.reportTitle')}
          report={async (reason) => void (await report.mutateAsync({ id: reported, reason }))}
          onClose={() => setReported(null)}
        />
      )}
    </>
  );
}
