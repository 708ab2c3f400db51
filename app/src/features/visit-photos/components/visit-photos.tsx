// The photos of a dog's visits, for its owner and their friends; the owner chooses what they show.
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useChangeVisitPhoto } from '#/features/visit-photos/commands/change-visit-photo.ts';
import {
  type VisitPhoto,
  visitPhotoFileQueryOptions,
  visitPhotosQueryOptions,
} from '#/features/visit-photos/queries/visit-photos.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { useBlobImage } from '#/ui/use-blob-image.ts';
import styles from './visit-photos.module.css';

interface VisitPhotosProps {
  dogId: string;
  dogName: string;
}

export default function VisitPhotos({ dogId, dogName }: VisitPhotosProps) {
  const t = useT();
  const { data = [] } = useQuery(visitPhotosQueryOptions(dogId));
  if (data.length === 0) return null;
  return (
    <Card as="section" className="column-3" aria-labelledby="visit-photos">
      <h2 id="visit-photos" className="text-3">
        {t('visitPhotos.title')}
      </h2>
      <ul className="column-3">
        {data.map((photo) => (
          <li key={photo.id} className="column-3">
            <Photo photo={photo} alt={t('ui.photoOf', { name: dogName })} />
            {photo.is_mine && <Settings dogId={dogId} photo={photo} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Photo({ photo, alt }: { photo: VisitPhoto; alt: string }) {
  const locale = useLocale();
  const { data } = useQuery(visitPhotoFileQueryOptions(photo.id));
  const image = useBlobImage(data);
  const day =
    photo.visited_on &&
    new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' }).format(new Date(photo.visited_on));
  return (
    <figure className={styles.figure}>
      {data ? (
        <img ref={image} alt={alt} className={styles.photo} />
      ) : (
        <span className={styles.photo} />
      )}
      {photo.park_name && (
        <figcaption className="note">
          <bdi>{photo.park_name}</bdi> · {day}
        </figcaption>
      )}
    </figure>
  );
}

function Settings({ dogId, photo }: { dogId: string; photo: VisitPhoto }) {
  const t = useT();
  const change = useChangeVisitPhoto(dogId);
  const { id, shows_visit, is_kept } = photo;
  return (
    <>
      <Switch
        label={t('visitPhotos.showVisit')}
        checked={shows_visit}
        disabled={change.isPending}
        onChange={(on) => change.mutate({ id, is_kept, shows_visit: on })}
      />
      <Switch
        label={t('visitPhotos.keep')}
        hint={t('visitPhotos.keepHint')}
        checked={is_kept}
        disabled={change.isPending}
        onChange={(on) => change.mutate({ id, shows_visit, is_kept: on })}
      />
      <Button
        variant="quiet"
        className="flush"
        icon={Trash2}
        busy={change.isPending}
        onClick={() => change.mutate({ id, remove: true })}
      >
        {t('ui.photo.remove')}
      </Button>
    </>
  );
}
