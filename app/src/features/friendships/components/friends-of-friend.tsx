// The friends of a friend who shares them.
import { useQuery } from '@tanstack/react-query';
import { friendsOfQueryOptions } from '#/features/friendships/queries/friends.ts';
import { useT } from '#/i18n/i18n.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { UserList } from '#/entities/users/user-list.tsx';

export function FriendsOfFriend({ userId }: { userId: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(friendsOfQueryOptions(userId));
  if (!data) return <Loading error={error} refetch={refetch} height="12rem" />;
  if (data.length === 0) return <EmptyState pose="sitting" text={t('friendships.ofFriendEmpty')} />;
  return (
    <UserList
      users={data.map(({ user_id, name, picture }) => ({
        id: user_id,
        name,
        picture: avatarUrl(picture),
      }))}
    />
  );
}
