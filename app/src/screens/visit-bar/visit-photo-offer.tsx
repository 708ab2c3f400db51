// 'A photo from Long Lawn?': offered after a visit with one of the user's dogs, for friends or for the park's gallery.
import { Camera } from 'lucide-react';
import { useRef, useState } from 'react';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import type { EndedVisit } from '#/features/check-ins/ended-visit.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useUploadParkPhoto } from '#/features/photos/commands/park-photo.command.ts';
import { useUploadVisitPhoto } from '#/features/visit-photos/commands/visit-photo.command.ts';
import { useSession } from '#/data/session/session.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { FloatingCard } from '#/ui/floating-card.tsx';
import { Icon } from '#/ui/icon.tsx';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import styles from './arrival-offer.module.css';

export interface VisitPhotoOfferProps {
  visit: EndedVisit;
  /** Asks the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
  onDone: () => void;
}

export default function VisitPhotoOffer({ visit, beforePost, onDone }: VisitPhotoOfferProps) {
  const t = useT();
  const { userId } = useSession();
  const { visitId, parkId, parkName: name, ownDogIds } = visit;
  const dogs = (useCompanions(userId) ?? []).filter(
    ({ id, owner }) => owner === userId && ownDogIds.includes(id),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const dog = dogs.find(({ id }) => id === chosen) ?? dogs[0];
  const isShown = useFloatingCard('photo', dog !== undefined);
  const input = useRef<HTMLInputElement>(null);
  const toGallery = useRef(false);
  const toFriends = useUploadVisitPhoto();
  const toPark = useUploadParkPhoto();
  if (!isShown || !dog) return null;
  const send = async (file: File) => {
    const isPublic = toGallery.current;
    if (isPublic && !(await beforePost())) return;
    const outcome = isPublic
      ? await toPark.mutateAsync({ parkId, file })
      : await toFriends.mutateAsync({ dogId: dog.id, visitId, file });
    onDone();
    if (outcome !== 'queued')
      showSuccess(t(isPublic ? 'visitPhotos.proposed' : 'visitPhotos.added', { name: dog.name }));
  };
  const take = (file: File) => void send(file).catch(showError);
  const choose = (isPublic: boolean) => {
    toGallery.current = isPublic;
    pickPhoto('ask', input.current, take);
  };
  const isBusy = toFriends.isPending || toPark.isPending;
  return (
    <FloatingCard label={t('visitPhotos.offer.title')} className={styles.offer}>
      <PhotoInput ref={input} label={t('ui.photo.add')} onPhoto={take} />
      <Icon of={Camera} size={28} />
      <p className={styles.text}>{t('visitPhotos.offer.question', { name })}</p>
      <div className={styles.details}>
        <p className="note">{t('visitPhotos.offer.text', { dog: dog.name })}</p>
        {dogs.length > 1 && (
          <ChipGroup
            label={t('visitPhotos.offer.dog')}
            labelHidden
            options={dogs.map((each) => ({ value: each.id, label: each.name }))}
            value={dog.id}
            onChange={setChosen}
          />
        )}
      </div>
      <span className={styles.responses} data-bottom-buttons>
        <Button variant="quiet" onClick={onDone}>
          {t('ui.skip')}
        </Button>
        <Button variant="secondary" busy={isBusy} onClick={() => choose(true)}>
          {t('visitPhotos.offer.gallery')}
        </Button>
        <Button busy={isBusy} onClick={() => choose(false)}>
          {t('visitPhotos.offer.friends')}
        </Button>
      </span>
    </FloatingCard>
  );
}
