// A park that closed for good, or was none: says so, what is near, and what people thought of it.
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ParkCards, type ParkCardsParts } from '#/features/parks/components/park-cards.tsx';
import type { FormerPark } from '#/features/parks/queries/former-park.ts';
import { findParks } from '#/features/parks/find-parks.ts';
import { useListedParks } from '#/features/parks/use-listed-parks.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { DEFAULT_LANGUAGE, LANGUAGES } from '#/i18n/languages.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './former-park-screen.module.css';

/** How many of the parks around it. */
const NEAREST = 3;

interface FormerParkScreenProps extends ParkCardsParts {
  parkId: number;
  former: FormerPark;
  /** Where the person is, or null. */
  here: LatLong | null;
  /** What people wrote of it; nothing where it was none. */
  reviews: ReactNode;
  children?: ReactNode;
}

export function FormerParkScreen(props: FormerParkScreenProps) {
  const { parkId, former, here, reviews, children, ...parts } = props;
  const t = useT();
  const language = useLanguage();
  const { park } = former;
  const name =
    park &&
    (park.names[language] ?? park.names[DEFAULT_LANGUAGE] ?? Object.values(park.names)[0] ?? null);
  const { parks, failed } = useListedParks(park);
  // The published list may have it for some minutes more.
  const others = parks?.filter(({ id }) => id !== parkId);
  const nearest =
    others &&
    findParks(others, { sort: 'distance' }, LANGUAGES[language].locale)
      .slice(0, NEAREST)
      // Near the park that closed, but shown with the way from the person.
      .map((near) => ({ ...near, distance: here && distanceBetween(here, near.location) }));
  return (
    <Page width="wide">
      <PageHeader
        title={name === null ? t('parks.former.title') : <bdi>{name}</bdi>}
        {...(name !== null && { documentTitle: name })}
        back={linkOptions({ to: '/parks' })}
      />
      <EmptyState
        pose="sitting"
        text={t(`parks.former.${park ? 'closed' : 'notDogPark'}`)}
        action={<ButtonLink to="/parks">{t('favourites.find')}</ButtonLink>}
      />
      {park && !failed && nearest?.length !== 0 && (
        <section className={styles.part} aria-labelledby="near">
          <h2 id="near" className={styles.title}>
            {t('parks.former.near')}
          </h2>
          {nearest ? <ParkCards parks={nearest} {...parts} /> : <Skeleton height="12rem" />}
        </section>
      )}
      {reviews && <div className={styles.part}>{reviews}</div>}
      {children}
    </Page>
  );
}
