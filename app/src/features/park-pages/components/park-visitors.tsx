// The dogs and users at the park. All are counted, but only friends are named.
import { Link } from '@tanstack/react-router';
import { HeartHandshake, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { avatarOf } from '#/entities/friendships/friends-there.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { AsOf } from '#/ui/as-of.tsx';
import { Avatar } from '#/ui/avatar.tsx';
import { Card } from '#/ui/card.tsx';
import { classNames } from '#/ui/class-names.ts';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Icon } from '#/ui/icon.tsx';
import { SkeletonText } from '#/ui/skeleton.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import styles from './park-visitors.module.css';

interface ParkVisitorsProps {
  status: ParkStatus | undefined;
  failed: boolean;
  /** When the cached status was loaded; null if it is live. */
  asOf: Date | null;
  loggedIn: boolean;
  /** The typical dogs at the park; null if there are too few dogs for a description. */
  company: ReactNode;
  /** The button that invites friends to the park. */
  invite: ReactNode;
}

export function ParkVisitors(props: ParkVisitorsProps) {
  const { status, failed, asOf, loggedIn, company, invite } = props;
  const t = useT();
  const locale = useLocale();
  const now = useNow(30_000);
  useAnnounce(status ? t('parks.dogsNow', { count: status.dogs_now }) : null);
  if (failed) return <EmptyState pose="sleeping" text={t('parks.live.failed')} />;
  if (!status)
    return (
      <Card aria-busy>
        <SkeletonText />
      </Card>
    );
  return (
    <div className={styles.visitors}>
      <Card as="section" className={styles.counts}>
        {status.people && <p>{t(`parks.visitors.people.${status.people}`)}</p>}
        <p>
          <strong className={styles.count}>
            {new Intl.NumberFormat(locale).format(status.dogs_now)}
          </strong>{' '}
          {t('parks.live.dogsLabel', { count: status.dogs_now })}
        </p>
        <AsOf moment={asOf} />
      </Card>
      {company}
      <Card as="section" aria-labelledby="friends-here" className={styles.here}>
        <h2 id="friends-here" className={styles.title}>
          {t('parks.visitors.friends')}
        </h2>
        {status.friends_here && status.friends_here.length > 0 ? (
          <ul className={styles.friends}>
            {status.friends_here.map((friend) => (
              <li key={friend.id} className={styles.friend}>
                <Avatar name={friend.name} src={avatarOf(friend)} size={52} />
                <span className={styles.who}>
                  <Link
                    to="/profile/$id"
                    params={{ id: friend.id }}
                    className={classNames('stretched-link', styles.name)}
                  >
                    <bdi>{friend.name}</bdi>
                  </Link>
                  <span className="note">
                    {friend.dogs.length > 0 && (
                      <>
                        <bdi>
                          {t('parks.visitors.with', {
                            dogs: new Intl.ListFormat(locale, { type: 'conjunction' }).format(
                              friend.dogs.map((dog) => dog.name),
                            ),
                          })}
                        </bdi>
                        {' · '}
                      </>
                    )}
                    {timeAgo(friend.since, now, locale)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p className={styles.none}>
            <Icon of={loggedIn ? HeartHandshake : Lock} />
            {t(
              !loggedIn
                ? 'parks.visitors.loggedOut'
                : status.friends_here
                  ? 'parks.visitors.noFriends'
                  : 'parks.visitors.unknown',
            )}
          </p>
        )}
        {invite}
      </Card>
      <p className="note">{t('parks.visitors.privacy')}</p>
    </div>
  );
}
