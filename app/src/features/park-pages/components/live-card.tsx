// The live status of a park: number of dogs, busy level, friends. The screen passes in the buttons and the verdict.
import type { ReactNode } from 'react';
import { FriendsLine } from '#/entities/friendships/friends-line.tsx';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { AsOf } from '#/ui/as-of.tsx';
import { Card } from '#/ui/card.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import styles from './live-card.module.css';
import { BUSY_LEVELS } from '../../../../../shared/enums.ts';

interface LiveCardProps {
  /** Undefined while the status is loading. */
  status: ParkStatus | undefined;
  /** True if loading the status failed and none is cached. */
  failed: boolean;
  /** When the cached status was loaded; null if it is live. */
  asOf: Date | null;
  verdict: ReactNode;
  /** Buttons for check-in and directions; none if the user is checked in at this park. */
  actions: ReactNode;
  /**
   * ID of the user's visit at this park. When it changes, the new dog count is not announced, because the check-in or check-out
   * already is.
   */
  visitId: string | undefined;
}

export function LiveCard({ status, failed, asOf, verdict, actions, visitId }: LiveCardProps) {
  const t = useT();
  const locale = useLocale();
  useAnnounce(status ? t('parks.dogsNow', { count: status.dogs_now }) : null, visitId);
  return (
    <Card
      as="section"
      aria-labelledby="park-live"
      aria-busy={!status && !failed}
      className="grid-3"
    >
      <h2 id="park-live" className="visually-hidden">
        {t('parks.live.title')}
      </h2>
      {failed ? (
        <p>{t('parks.live.failed')}</p>
      ) : (
        <div className={styles.now}>
          <p className={styles.dogs} data-testid="dogs-now">
            {status ? (
              <>
                <span className={styles.count} aria-hidden>
                  {new Intl.NumberFormat(locale).format(status.dogs_now)}
                </span>
                <span className="text-3" aria-hidden>
                  {t('parks.live.dogsLabel', { count: status.dogs_now })}
                </span>
                <span className="visually-hidden">
                  {t('parks.dogsNow', { count: status.dogs_now })}
                </span>
              </>
            ) : (
              <Skeleton width="6rem" height="2.5rem" />
            )}
          </p>
          {status && (
            <p className={styles.level}>
              <span aria-hidden className={styles.meter}>
                {BUSY_LEVELS.map((level, index) => (
                  <span key={level} data-on={index <= BUSY_LEVELS.indexOf(status.busy_level)} />
                ))}
              </span>
              {t(`parks.busy.${status.busy_level}`)}
            </p>
          )}
        </div>
      )}
      {!status && !failed && <Skeleton height="3.5rem" />}
      <AsOf moment={asOf} />
      <FriendsLine friends={status?.friends_here ?? []} />
      {verdict}
      {actions && <div className={styles.actions}>{actions}</div>}
    </Card>
  );
}
