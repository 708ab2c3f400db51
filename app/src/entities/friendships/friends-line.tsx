// Friends at a park as avatars and text on one line; nothing if there are none.
import { avatarOf, type FriendThere } from '#/entities/friendships/friends-there.ts';
import { useT } from '#/i18n/i18n.ts';
import { Avatar } from '#/ui/avatar.tsx';
import styles from './friends-line.module.css';

/** Maximum number of avatars. The text counts all friends. */
const MAX_AVATARS = 3;

export function FriendsLine({ friends }: { friends: readonly FriendThere[] }) {
  const t = useT();
  if (friends.length === 0) return null;
  return (
    <span className={styles.line}>
      <span className={styles.avatars}>
        {friends.slice(0, MAX_AVATARS).map((friend) => (
          <Avatar key={friend.id} name={friend.name} src={avatarOf(friend)} size={28} />
        ))}
      </span>
      <span className={styles.text}>
        {t('parks.live.friends', { count: friends.length, name: friends[0]?.name ?? '' })}
      </span>
    </span>
  );
}
