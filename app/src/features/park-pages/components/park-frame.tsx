// The frame of a park's three pages, with name, actions and tabs.
import { linkOptions } from '@tanstack/react-router';
import { Info, MessageSquareText, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { parkTranslation, type Park } from '#/entities/parks/park.ts';
import { Rating } from '#/ui/rating.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Tabs } from '#/ui/tabs.tsx';
import styles from './park-frame.module.css';

interface ParkFrameProps {
  park: Park;
  /** Rating from the reviews; null while loading or without reviews. */
  rating: { rank: number; count: number } | null;
  actions: ReactNode;
  /** A drawing of the park's current state. */
  gate: ReactNode;
  /** Shown below the name: hazards, notices, and a note if only the list file is available. */
  bar?: ReactNode;
  children: ReactNode;
}

export function ParkFrame({ park, rating, actions, gate, bar, children }: ParkFrameProps) {
  const t = useT();
  const translation = parkTranslation(park, useLanguage());
  const params = { parkId: park.id };
  return (
    <Page width="wide" className={styles.page}>
      {gate && <div className={styles.gate}>{gate}</div>}
      <PageHeader
        title={<bdi>{translation.name}</bdi>}
        subtitle={
          <>
            {rating && (
              <span className={styles.rating}>
                <Rating {...rating} />
              </span>
            )}
            <bdi>{translation.address}</bdi>
            {translation.address !== '' && translation.city !== '' && ' · '}
            <bdi>{translation.city}</bdi>
          </>
        }
        back={linkOptions({ to: '/parks' })}
        actions={actions}
      />
      {bar}
      <Tabs
        label={t('parks.tabs.label')}
        of={translation.name}
        tabs={[
          {
            link: linkOptions({ to: '/parks/$parkId', params }),
            label: t('parks.tabs.general'),
            icon: Info,
            exact: true,
          },
          {
            link: linkOptions({ to: '/parks/$parkId/reviews', params }),
            label: t('ui.reviews'),
            icon: MessageSquareText,
          },
          {
            link: linkOptions({ to: '/parks/$parkId/visitors', params }),
            label: t('parks.tabs.visitors'),
            icon: UsersRound,
          },
        ]}
      />
      {children}
    </Page>
  );
}
