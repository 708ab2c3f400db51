// Lets a dog's owners report it as lost or found, see its sightings, and get its tag.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PartyPopper, QrCode, RefreshCw, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { useLostDog } from '#/features/lost-dogs/commands/lost-dog.ts';
import { AnswerFinder } from '#/features/lost-dogs/components/answer-finder.tsx';
import {
  type Consent,
  LostPlace,
  type PickerSlot,
} from '#/features/lost-dogs/components/lost-place.tsx';
import {
  lostDogQueryOptions,
  type Sighting,
  sightingPhotoQueryOptions,
} from '#/features/lost-dogs/queries/lost-dog.ts';
import { clockFormat, parkTimeZone } from '../../../../../shared/park-time.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './lost-dogs.module.css';

const TagSheet = lazyPart(() => import('#/features/lost-dogs/components/tag-sheet.tsx'));

interface OwnLostDogProps {
  dogId: string;
  name: string;
  /** Path of the photo in the users bucket. */
  photo: string | null;
  consent: Consent;
  picker: (slot: PickerSlot) => ReactNode;
}

export function OwnLostDog({ dogId, name, photo, consent, picker }: OwnLostDogProps) {
  const t = useT();
  const locale = useLocale();
  const { data: card } = useQuery(lostDogQueryOptions(dogId));
  const { report, found } = useLostDog(dogId);
  const [open, setOpen] = useState<'lost' | 'tag' | null>(null);
  const close = () => setOpen(null);
  const state = card?.hidden ? 'hidden' : card?.shown ? 'shown' : 'waits';
  const stateText =
    card &&
    t(`lostDogs.state.${state}`, {
      // Include the weekday, because the time is about a day ahead.
      until: new Intl.DateTimeFormat(locale, {
        weekday: 'long',
        ...clockFormat(),
        timeZone: parkTimeZone(),
      }).format(new Date(card.until)),
    });
  useAnnounce(card === undefined ? null : (stateText ?? ''));
  return (
    <section className="column-3" aria-label={t('lostDogs.section')}>
      {card && (
        <Card className="column-3">
          <p>
            <strong>
              {t(card.lost || card.hidden ? 'lostDogs.marker' : 'lostDogs.ownOver', { name })}
            </strong>
          </p>
          <p className="note">{stateText}</p>
          {card.sightings.length > 0 && (
            <ul className="column-3" aria-label={t('lostDogs.sightings')}>
              {card.sightings.map((each) => (
                <SightingItem key={each.id} dogId={dogId} sighting={each} />
              ))}
            </ul>
          )}
          {!card.hidden && (
            <div className="wrap-2">
              <Button
                icon={PartyPopper}
                busy={found.isPending}
                onClick={() =>
                  found.mutate(undefined, {
                    onError: showError,
                    onSuccess: () => showSuccess(t('lostDogs.foundThanks', { name })),
                  })
                }
              >
                {t('lostDogs.found')}
              </Button>
              <Button
                variant="secondary"
                icon={RefreshCw}
                busy={report.isPending}
                onClick={() => report.mutate({ place: null, photo: null }, { onError: showError })}
              >
                {t('lostDogs.renew')}
              </Button>
            </div>
          )}
        </Card>
      )}
      <div className="wrap-2">
        {card === null && (
          <Button variant="secondary" icon={Search} onClick={() => setOpen('lost')}>
            {t('lostDogs.isLost')}
          </Button>
        )}
        <Button variant="secondary" icon={QrCode} onClick={() => setOpen('tag')}>
          {t('lostDogs.tag')}
        </Button>
      </div>
      {open === 'lost' && (
        <LostPlace
          draft={`lost/${dogId}`}
          title={t('lostDogs.isLost')}
          note={t('lostDogs.lostNote')}
          send={t('lostDogs.publish')}
          picker={picker}
          consent={consent}
          onSend={(place) => report.mutateAsync({ place, photo })}
          onClose={close}
        />
      )}
      {open === 'tag' && <TagSheet dogId={dogId} name={name} onClose={close} />}
    </section>
  );
}

function SightingItem({ dogId, sighting }: { dogId: string; sighting: Sighting }) {
  const t = useT();
  const locale = useLocale();
  const { at, lat, long, note, photo, phone, answer } = sighting;
  const { data: address } = useQuery({
    ...sightingPhotoQueryOptions(photo ?? ''),
    enabled: photo !== null,
  });
  return (
    <li>
      <p className="note">{timeAgo(at, useNow(60_000), locale)}</p>
      {note && <p dir="auto">{note}</p>}
      {phone && (
        <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
          <bdi dir="ltr">{phone}</bdi>
        </a>
      )}
      {lat !== null && long !== null && (
        <Link to="/" search={{ lat, long }}>
          {t('ui.onMap')}
        </Link>
      )}
      {address && <img src={address} alt={t('lostDogs.photo')} className={styles.photo} />}
      {answer && <p dir="auto">{t('lostDogs.answered', { answer })}</p>}
      {sighting.answerable && <AnswerFinder dogId={dogId} sightingId={sighting.id} />}
    </li>
  );
}
