// A park's photos as a carousel, which a tap enlarges, and a button to add one.
import { Camera } from 'lucide-react';
import { useRef, useState } from 'react';
import { useUploadParkPhoto } from '#/features/photos/commands/park-photo.command.ts';
import { PhotoActions } from '#/features/photos/components/photo-actions.tsx';
import { PhotoCarousel } from '#/features/photos/components/photo-carousel.tsx';
import { usePendingPhotos } from '#/features/photos/queries/pending-photos.ts';
import { useT } from '#/i18n/i18n.ts';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { classNames } from '#/ui/class-names.ts';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import styles from './park-gallery.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface ParkGalleryProps {
  parkId: number;
  parkName: string;
  primary: string | null;
  /** Users' photos except rejected ones; undefined if unknown on this device. */
  photos: { path: string; status: 'pending' | 'approved' }[] | undefined;
  /** Paths of the photos that the user added. */
  mine: readonly string[];
  guard: LoginGate['guard'];
  /** Asks the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
}

export function ParkGallery(props: ParkGalleryProps) {
  const { parkId, parkName, primary, photos, mine, guard, beforePost } = props;
  const t = useT();
  const upload = useUploadParkPhoto();
  const input = useRef<HTMLInputElement>(null);
  // Set after a login. The user has to tap again, because browsers open the file picker only on a tap.
  const [adding, setAdding] = useNamedOverlay('add-photo');
  const [large, setLarge] = useState<number | null>(null);
  /** Index of the visible enlarged photo. */
  const [inSight, setInSight] = useState(0);
  const [progress, setProgress] = useState<number | null>(null);
  const given = photos ?? [];
  const approved = given.filter((photo) => photo.status === 'approved').map(({ path }) => path);
  const pending = given.filter((photo) => photo.status === 'pending').map(({ path }) => path);
  const { data: pendingUrls = [] } = usePendingPhotos(parkId, pending);
  const paths = [...(primary ? [primary] : []), ...approved.filter((path) => path !== primary)];

  const inFront = paths[inSight];
  // Photos from moderators cannot be reported.
  const shown = inFront !== undefined && approved.includes(inFront) ? inFront : undefined;

  const isOverPhoto = pending.length === 0 && progress === null && paths.length > 0;

  const pick = () =>
    void beforePost().then((agreed) => {
      if (agreed) pickPhoto('ask', input.current, (file) => void send(file));
    }, showError);
  const choose = () => guard(t('ui.photo.add'), t('photos.gate'), pick, { 'add-photo': true });
  const send = async (file: File) => {
    setProgress(0);
    try {
      const outcome = await upload.mutateAsync({ parkId, file, onProgress: setProgress });
      if (outcome === 'done') showSuccess(t('photos.pendingNote'));
    } catch (error) {
      showError(error);
    } finally {
      setProgress(null);
    }
  };

  return (
    <section className={styles.gallery} aria-label={t('ui.photos')}>
      {paths.length > 0 ? (
        <PhotoCarousel
          paths={paths}
          parkName={parkName}
          width={PHOTO_WIDTH.wide}
          onOpen={(index) => {
            setLarge(index);
            setInSight(index);
          }}
        />
      ) : (
        <p className="soft">{t(photos ? 'photos.none' : 'photos.unknown')}</p>
      )}
      <div className={classNames(styles.row, isOverPhoto && styles.over)}>
        {pendingUrls.map((url) => (
          // The alt text is empty, because the text next to the photos describes them.
          <img key={url} src={url} alt="" className={styles.pending} />
        ))}
        {pending.length > 0 && (
          <p className={styles.queued}>{t('photos.waiting', { count: pending.length })}</p>
        )}
        {progress === null ? (
          // On a photo, the button is an icon in the corner, because a label would cover the dogs.
          isOverPhoto ? (
            <IconButton variant="raised" icon={Camera} label={t('ui.photo.add')} onClick={choose} />
          ) : (
            <Button variant="secondary" icon={Camera} onClick={choose}>
              {t('ui.photo.add')}
            </Button>
          )
        ) : (
          <label className={styles.progress}>
            {t('ui.photo.sending')}
            <progress value={progress} max={1} />
          </label>
        )}
      </div>
      <PhotoInput ref={input} label={t('ui.photo.add')} onPhoto={(file) => void send(file)} />
      <ConfirmSheet
        open={adding !== null}
        onClose={() => setAdding(null)}
        title={t('photos.of', { name: parkName })}
        confirmLabel={t('ui.photo.add')}
        onConfirm={() => {
          setAdding(null);
          pick();
        }}
      />
      {large !== null && (
        <Sheet
          onClose={() => setLarge(null)}
          title={t('photos.of', { name: parkName })}
          size="large"
          footer={
            shown !== undefined && (
              <PhotoActions
                key={shown}
                parkId={parkId}
                path={shown}
                mine={mine.includes(shown)}
                guard={guard}
                onRemoved={() => setLarge(null)}
              />
            )
          }
        >
          <PhotoCarousel
            paths={paths}
            first={large}
            parkName={parkName}
            width={PHOTO_WIDTH.full}
            className={styles.large}
            onShow={setInSight}
          />
        </Sheet>
      )}
    </section>
  );
}
