// Cards of lost dogs nearby with photo, name and the place where the dog was last seen. One tap reports a sighting.
import { Eye, Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { distanceBetween, formatDistance, type LatLong } from '#/core/distance.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { newUuid } from '#/core/uuid.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { ReportSheet } from '#/entities/reports/report-sheet.tsx';
import { useSession } from '#/data/session/session.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { useReportCard } from '#/features/lost-dogs/commands/lost-dog.ts';
import { useReportSighting } from '#/features/lost-dogs/commands/report-sighting.command.ts';
import { useSightingPhoto } from '#/features/lost-dogs/commands/sighting-photo.command.ts';
import {
  type Consent,
  LostPlace,
  type PickerSlot,
} from '#/features/lost-dogs/components/lost-place.tsx';
import type { LostCard } from '#/features/lost-dogs/queries/lost-dogs.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { showSuccess } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface LostCardsProps {
  cards: readonly LostCard[];
  /** The cards in the sheet; null if the sheet is closed. */
  shown: readonly LostCard[] | null;
  /** The place from which distances are measured. */
  from: LatLong;
  guard: LoginGate['guard'];
  consent: Consent;
  picker: (slot: PickerSlot) => ReactNode;
  onClose: () => void;
}

interface OpenSheet {
  id: string;
  action: 'see' | 'report';
}

export function LostCards(props: LostCardsProps) {
  const { cards, shown, from, guard, consent, picker, onClose } = props;
  const t = useT();
  const locale = useLocale();
  const now = useNow(60_000);
  const { status } = useSession();
  const [opened, setOpened] = useNamedOverlay<OpenSheet>('lost-dog');
  const about = status === 'in' ? cards.find(({ id }) => id === opened?.id) : undefined;
  const sighting = useReportSighting();
  const addPhoto = useSightingPhoto();
  const report = useReportCard();

  const openSheet = (title: string, text: string, sheet: OpenSheet) =>
    guard(title, text, () => setOpened(sheet), { 'lost-dog': sheet });
  const send = async (card: LostCard, { lat, long }: LatLong, photo: File | null) => {
    const id = newUuid();
    const outcome = await sighting.mutateAsync({ id, lostId: card.id, lat, long });
    if (photo) await addPhoto.mutateAsync({ id, file: photo });
    if (outcome !== 'queued') showSuccess(t('lostDogs.thanks'));
    onClose();
  };

  return (
    <>
      <Sheet open={shown !== null} onClose={onClose} title={t('lostDogs.title')}>
        <ul className="column-3">
          {shown?.map((card) => (
            <Card as="li" key={card.id} className="row-wrap-3">
              <Avatar
                name={card.name}
                src={card.photo && photoUrl('lost-dogs', card.photo, PHOTO_WIDTH.thumb)}
                size={72}
              />
              <div className={styles.texts}>
                <strong>
                  <bdi>{card.name}</bdi>
                </strong>
                <p className="note">
                  {t('lostDogs.lastSeen', {
                    ago: timeAgo(card.lost_at, now, locale),
                    distance: formatDistance(distanceBetween(from, card), locale),
                  })}
                </p>
              </div>
              {card.mine ? (
                <p className="note">{t('lostDogs.mine')}</p>
              ) : (
                <>
                  <Button
                    icon={Eye}
                    onClick={() =>
                      openSheet(t('lostDogs.seen'), t('lostDogs.gate'), {
                        id: card.id,
                        action: 'see',
                      })
                    }
                  >
                    {t('lostDogs.seen')}
                  </Button>
                  <IconButton
                    icon={Flag}
                    label={t('lostDogs.report', { name: card.name })}
                    onClick={() =>
                      openSheet(
                        t('lostDogs.report', { name: card.name }),
                        t('lostDogs.reportGate'),
                        {
                          id: card.id,
                          action: 'report',
                        },
                      )
                    }
                  />
                </>
              )}
            </Card>
          ))}
        </ul>
      </Sheet>
      {about && opened?.action === 'see' && (
        <LostPlace
          draft={`seen/${about.id}`}
          title={t('lostDogs.seenTitle', { name: about.name })}
          note={t('lostDogs.seenNote')}
          send={t('ui.send')}
          withPhoto
          picker={picker}
          consent={consent}
          onSend={(place, photo) => send(about, place, photo)}
          onClose={() => setOpened(null)}
        />
      )}
      {about && opened?.action === 'report' && (
        <ReportSheet
          title={t('lostDogs.reportTitle')}
          report={async (reason) => void (await report.mutateAsync({ id: about.id, reason }))}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
