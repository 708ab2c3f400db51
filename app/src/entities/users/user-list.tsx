// Users as a list of rows: avatar, name, a line of text, and actions.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Avatar } from '#/ui/avatar.tsx';
import { Card } from '#/ui/card.tsx';
import { classNames } from '#/ui/class-names.ts';
import styles from './user-list.module.css';

export interface ListedUser {
  id: string;
  name: string;
  picture?: string | null;
  note?: ReactNode;
  action?: ReactNode;
  /** A small button at the end of the row for a rarely used action. */
  rowAction?: ReactNode;
}

interface UserListProps {
  users: readonly ListedUser[];
  /** False for visitors, because profiles require a login. */
  linked?: boolean;
}

export const UserList = ({ users, linked = true }: UserListProps) => (
  <ul className="column-3">
    {users.map(({ id, name, picture = null, note, action, rowAction }) => (
      <Card as="li" key={id} className={styles.user}>
        <Avatar name={name} src={picture} size={52} />
        <div className={styles.texts}>
          {linked ? (
            <Link
              to="/profile/$id"
              params={{ id }}
              className={classNames('stretched-link', styles.name)}
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <span className={styles.name}>
              <bdi>{name}</bdi>
            </span>
          )}
          {note && <div className="note">{note}</div>}
        </div>
        {action && <div className={styles.action}>{action}</div>}
        {rowAction}
      </Card>
    ))}
  </ul>
);
