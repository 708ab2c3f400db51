// The desk's team and audit log, for administrators.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { textOf, useDeskText } from '#/features/desk/desk-text.ts';
import {
  type LogEntry,
  logQueryOptions,
  membersQueryOptions,
} from '#/features/desk/queries/desk.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { Chip } from '#/ui/chip.tsx';
import { Loading, combineQueries } from '#/ui/fetch-failed.tsx';
import styles from './desk.module.css';

export default function TeamView() {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const members = useQuery(membersQueryOptions());
  const log = useQuery(logQueryOptions());
  if (!members.data || !log.data)
    return <Loading {...combineQueries(members, log)} height="20rem" />;
  return (
    <div className={styles.stack}>
      <ul className="grid-2">
        {members.data.map((member) => (
          <li key={member.id} className={styles.line}>
            <Link to="/desk/{-$view}" params={{ view: 'users' }} search={{ user: member.id }}>
              <bdi>{member.name}</bdi>
            </Link>
            <Chip tone="sky">{text.users.roles[member.role]}</Chip>
            {member.town && <bdi>{member.town}</bdi>}
            {!member.second_factor && <Chip tone="alert">{text.team.noFactor}</Chip>}
          </li>
        ))}
      </ul>
      <section>
        <h2 className={styles.label}>{text.team.log}</h2>
        <ol className="grid-2">
          {log.data.map((entry) => (
            <li key={entry.id} className={styles.line}>
              <time className="soft" dateTime={entry.at}>
                {formatTime(entry.at)}
              </time>
              <bdi>{entry.actor ?? text.team.operator}</bdi>
              <Act entry={entry} />
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function Act({ entry: { act, item, user_name, details } }: { entry: LogEntry }) {
  const text = useDeskText();
  const type = item?.split(':', 1)[0] ?? '';
  const { reason, role } = details as { reason?: string; role?: string | null };
  const notes = [
    textOf(text.team.acts, act),
    type && type !== 'user' && textOf(text.types, type),
    reason && textOf(text.reasons, reason),
    role !== undefined && text.users.roles[(role ?? 'none') as keyof typeof text.users.roles],
  ].filter(Boolean);
  return (
    <span>
      {notes.join(' · ')}
      {user_name && (
        <>
          {' · '}
          <bdi>{user_name}</bdi>
        </>
      )}
    </span>
  );
}
