// A park that closed for good, or was none: says so, what is near, and what people thought of it.
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FormerPark } from '#/features/park-pages/queries/former-park.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { DEFAULT_LANGUAGE } from '#/i18n/languages.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import styles from './former-park-screen.module.css';

interface FormerParkScreenProps {
  former: FormerPark;
  /** The parks around it, where it was one. */
  near: ReactNode;
  /** What people wrote of it; nothing where it was none. */
  reviews: ReactNode;
}

export function FormerParkScreen({ former, near, reviews }: FormerParkScreenProps) {
  const t = useT();
  const language = useLanguage();
  const { park } = former;
  const name =
    park &&
    (park.names[language] ?? park.names[DEFAULT_LANGUAGE] ?? Object.values(park.names)[0] ?? null);
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
        action={<ButtonLink to="/parks">{t('ui.findPark')}</ButtonLink>}
      />
      {near}
      {reviews && <div className={styles.part}>{reviews}</div>}
    </Page>
  );
}
