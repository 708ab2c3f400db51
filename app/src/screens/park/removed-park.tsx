// Shown at the URL of a park that has closed permanently or never was one: an explanation, nearby parks, and its reviews.
import { linkOptions } from '@tanstack/react-router';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import type { RemovedPark } from '#/features/park-pages/queries/removed-park.ts';
import { ParksNearby } from '#/features/park-lists/components/parks-nearby.tsx';
import { ParkReviewsList } from '#/features/reviews/components/park-reviews-list.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { DEFAULT_LANGUAGE } from '#/i18n/languages.ts';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { useSession } from '#/data/session/session.ts';
import { useHere } from '#/platform/here.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { CardVerdict } from '#/screens/shared/verdict.tsx';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import styles from './removed-park.module.css';

interface RemovedParkProps {
  parkId: number;
  removed: RemovedPark;
}

export default function RemovedParkRoute({ parkId, removed: { park } }: RemovedParkProps) {
  const t = useT();
  const language = useLanguage();
  const { guard, sheet } = useLoginGate();
  const here = useHere().place;
  const friends = useFriendsNow(useSession().status === 'in');
  const name =
    park &&
    (park.names[language] ?? park.names[DEFAULT_LANGUAGE] ?? Object.values(park.names)[0] ?? null);
  return (
    <Page width="wide">
      <PageHeader
        title={name === null ? t('parks.removed.title') : <bdi>{name}</bdi>}
        {...(name !== null && { documentTitle: name })}
        back={linkOptions({ to: '/parks' })}
      />
      <EmptyState
        pose="sitting"
        text={t(`parks.removed.${park ? 'closed' : 'notDogPark'}`)}
        action={<ButtonLink to="/parks">{t('ui.findPark')}</ButtonLink>}
      />
      {park && (
        <>
          <ParksNearby
            place={park}
            except={parkId}
            here={here}
            friends={friends}
            verdict={(near) => <CardVerdict park={near} />}
            scene={(near) => <Scene place={near.location} dogs={near.live?.dogs_now ?? 0} />}
          />
          <div className={styles.reviews}>
            <ParkReviewsList parkId={parkId} guard={guard} writing={null} />
          </div>
        </>
      )}
      {sheet}
    </Page>
  );
}
