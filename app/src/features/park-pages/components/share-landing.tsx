// The landing page of a shared link: open the app, install it, or continue in the browser.
import { Globe, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { ParkPhoto } from '#/entities/photos/park-photo.tsx';
import { appLink, storesFor } from '#/features/park-pages/store-links.ts';
import { useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { ButtonAnchor, ButtonLink } from '#/ui/button.tsx';
import { Page } from '#/ui/page.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './share-landing.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface ShareLandingProps {
  parkId: number;
  /** Null if loading the park failed; the buttons are shown anyway. */
  park: { name: string; place: string; photo: string | null } | null;
  /** The live counts and the rating; null while loading or if loading failed. */
  live: ReactNode;
}

export function ShareLanding({ parkId, park, live }: ShareLandingProps) {
  const t = useT();
  useTitle(park?.name ?? t('parks.shareLanding.anyPark'));
  return (
    <Page width="narrow" className={styles.landing}>
      <ParkPhoto
        path={park?.photo ?? null}
        width={PHOTO_WIDTH.wide}
        alt=""
        eager
        className={styles.photo}
      />
      <h1>{park ? <bdi>{park.name}</bdi> : t('parks.shareLanding.anyPark')}</h1>
      {park && (
        <p className="soft">
          <bdi>{park.place}</bdi>
        </p>
      )}
      <p className={styles.live}>{live ?? t('parks.shareLanding.text')}</p>
      <div className="grid-3">
        <ButtonAnchor wide icon={Smartphone} href={appLink(parkId)}>
          {t('ui.openApp')}
        </ButtonAnchor>
        {storesFor(getConfig(), navigator.userAgent, navigator.maxTouchPoints).map(
          ({ store, url }) => (
            <ButtonAnchor
              key={store}
              wide
              variant="secondary"
              href={url}
              target="_blank"
              rel="noreferrer"
            >
              {t(`parks.shareLanding.${store}`)}
            </ButtonAnchor>
          ),
        )}
        <ButtonLink wide variant="quiet" icon={Globe} to="/parks/$parkId" params={{ parkId }}>
          {t('parks.shareLanding.web')}
        </ButtonLink>
      </div>
    </Page>
  );
}
