// One park in the list: a single large link with photo, name, distance, dogs now and its facts.
import { Link } from '@tanstack/react-router';
import { MapPin, PawPrint, Star } from 'lucide-react';
import type { ListedPark } from '#/features/parks/find-parks.ts';
import { ParkFactsChips } from '#/features/parks/components/park-facts.tsx';
import { ParkPhoto } from '#/features/parks/components/park-photo.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatDistance } from '#/core/distance.ts';
import { PHOTO_WIDTH } from '#/data/photos/photo-url.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-card.module.css';

export function ParkCard({ park, eager }: { park: ListedPark; eager: boolean }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const dogs = park.live?.dogs_now ?? 0;
  const { rank } = park;
  return (
    <Link to="/parks/$parkId" params={{ parkId: park.id }} className={styles.card}>
      <ParkPhoto
        path={park.facts?.primary_photo ?? null}
        width={PHOTO_WIDTH.card}
        alt=""
        eager={eager}
        className={styles.photo}
      />
      <span className={styles.body}>
        <span className={styles.head}>
          <bdi className={styles.name}>{park.name}</bdi>
          {rank !== null && (
            <span className={styles.number}>
              <Icon of={Star} size={16} className={styles.star} />
              <span aria-hidden>
                {new Intl.NumberFormat(locale, {
                  minimumFractionDigits: 1,
                  maximumFractionDigits: 1,
                }).format(rank)}
              </span>
              <span className="visually-hidden">{t('parks.card.rank', { rank })}</span>
            </span>
          )}
        </span>
        <span className={styles.address}>
          <bdi>{park.address}</bdi>
          {park.city !== '' && park.address !== '' && <span aria-hidden> · </span>}
          <bdi>{park.city}</bdi>
        </span>
        <span className={styles.numbers}>
          {park.distance !== null && (
            <span className={styles.number}>
              <Icon of={MapPin} size={16} />
              <span aria-hidden>{formatDistance(park.distance, locale)}</span>
              <span className="visually-hidden">
                {t('parks.card.away', { distance: formatDistance(park.distance, locale) })}
              </span>
            </span>
          )}
          {park.live && (
            <span className={classNames(styles.number, dogs > 0 && styles.lively)}>
              <Icon of={PawPrint} size={16} />
              {t('parks.dogsNow', { count: dogs })}
            </span>
          )}
        </span>
        <ParkFactsChips facts={park.facts} conditions={park.live?.conditions ?? []} />
      </span>
    </Link>
  );
}
