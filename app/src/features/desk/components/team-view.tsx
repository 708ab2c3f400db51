// Who works at the desk, and the audit log of what they did; for administrators.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { logQueryOptions, membersQueryOptions } from '#/features/desk/queries/desk.ts';
import { useMoment } from '#/features/desk/use-moment.ts';
import { Chip } from '#/ui/chip.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './desk.module.css';

export function TeamView() {
  const text = useDeskText();
  const moment = useMoment();
  const members = useQuery(membersQueryOptions());
  const log = useQuery(logQueryOptions());
  const failed = members.error ?? log.error;
  if (!members.data || !log.data)
    return failed ? (
      <FetchFailed
        error={failed}
        onRetry={() => void Promise.all([members.refetch(), log.refetch()])}
      />
    ) : (
      <Skeleton height="20rem" />
    );
  return (
    <div className={styles.stack}>
      <ul className={styles.lines}>
        {members.data.map((member) => (
          <li key={member.id} className={styles.line}>
            <Link to="/desk/{-$view}" params={{ view: 'people' }} search={{ person: member.id }}>
              <bdi>{member.name}</bdi>
            </Link>
            <Chip tone="sky">{text.people.roles[member.role]}</Chip>
            {!member.second_factor && <Chip tone="alert">{text.team.noFactor}</Chip>}
          </li>
        ))}
      </ul>
      <section>
        <h2 className={styles.label}>{text.team.log}</h2>
        <ol className={styles.lines}>
          {log.data.map((entry) => (
            <li key={entry.id} className={styles.line}>
              <time className={styles.quiet} dateTime={entry.at}>
                {moment(entry.at)}
              </time>
              <bdi>{entry.actor ?? text.team.operator}</bdi>
              {/* As it stands in the log, which is the same in every language. */}
              <code dir="ltr" className={styles.code}>
                {entry.act} {entry.item}
              </code>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
