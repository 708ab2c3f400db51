// The user's friends page: friends, and received and sent requests.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { avatarOf, type FriendThere } from '#/entities/friendships/friends-there.ts';
import { parkTranslation, usePark } from '#/entities/parks/park.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import {
  friendRequestsQueryOptions,
  friendsQueryOptions,
} from '#/features/friendships/queries/friends.ts';
import { FriendButton } from '#/features/friendships/components/friend-button.tsx';
import { friendshipWith } from '#/features/friendships/friendship-with.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { useUnsent } from '#/offline/command-queue/queued-commands.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading, combineQueries } from '#/ui/fetch-failed.tsx';
import { type ListedUser, UserList } from '#/entities/users/user-list.tsx';
import styles from './friend-lists.module.css';

/** @param coming renders the button that notifies a friend at a park that the user is coming */
export function FriendLists({ coming }: { coming: (friend: FriendThere) => ReactNode }) {
  const t = useT();
  const locale = useLocale();
  const friends = useQuery(friendsQueryOptions());
  const requests = useQuery(friendRequestsQueryOptions());
  const unsent = useUnsent();
  const there = useFriendsNow(true);
  const date = new Intl.DateTimeFormat(locale, DAY);

  if (!friends.data || !requests.data)
    return <Loading {...combineQueries(friends, requests)} height="12rem" />;
  const users = [
    ...requests.data.map((one) => ({ ...one, since: null, friendship: one.direction })),
    ...friends.data.map((one) => ({ ...one, friendship: 'friends' as const })),
  ].map((one) => ({ ...one, shown: friendshipWith(one.user_id, one.friendship, unsent) }));
  const row = ({ user_id: id, name, picture }: (typeof users)[number]) => ({
    id,
    name,
    picture: avatarUrl(picture),
  });
  const requestsOf = (direction: Friendship): ListedUser[] =>
    users
      .filter(({ shown }) => shown.friendship === direction)
      .map((one) => ({
        ...row(one),
        action: <FriendButton userId={one.user_id} name={one.name} friendship={one.friendship} />,
      }));
  const incoming = requestsOf('incoming');
  const outgoing = requestsOf('outgoing');
  const known = users
    .filter(({ shown }) => shown.friendship === 'friends')
    .map((one) => ({
      ...row(one),
      note: one.since
        ? t('friendships.since', { date: date.format(new Date(one.since)) })
        : t('ui.notSentYet'),
      rowAction: (
        <FriendButton userId={one.user_id} name={one.name} friendship={one.friendship} small />
      ),
    }));
  return (
    <div className={styles.lists}>
      <Section
        title={t('friendships.now')}
        users={there.map((friend) => ({
          id: friend.id,
          name: friend.name,
          picture: avatarOf(friend),
          note: <ParkName parkId={friend.park_id} />,
          action: coming(friend),
        }))}
      />
      <Section title={t('friendships.requests', { count: incoming.length })} users={incoming} />
      <section className="column-3">
        <h2>{t('ui.friends')}</h2>
        {known.length > 0 ? (
          <UserList users={known} />
        ) : (
          <EmptyState
            text={t('friendships.empty')}
            action={<ButtonLink to="/users">{t('ui.findFriends')}</ButtonLink>}
          />
        )}
      </section>
      <Section title={t('friendships.pending')} users={outgoing} />
    </div>
  );
}

/** Renders nothing if the list is empty. */
const Section = ({ title, users }: { title: string; users: readonly ListedUser[] }) =>
  users.length > 0 && (
    <section className="column-3">
      <h2>{title}</h2>
      <UserList users={users} />
    </section>
  );

function ParkName({ parkId }: { parkId: number }) {
  const park = usePark(parkId).data;
  const language = useLanguage();
  return park ? <bdi>{parkTranslation(park, language).name}</bdi> : null;
}
