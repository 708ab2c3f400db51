// The list of decisions, newest first. Recent ones can be undone.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { undo } from '#/features/desk/commands/decide.ts';
import { textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { decisionsQueryOptions } from '#/features/desk/queries/desk.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { Button } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { showToast } from '#/ui/toast.ts';
import { useTask } from '#/ui/use-task.ts';
import styles from './desk.module.css';

export default function DecisionsView() {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(decisionsQueryOptions());
  const { busy, run } = useTask<string>();
  if (!data) return <Loading error={error} refetch={refetch} height="20rem" />;
  if (data.length === 0) return <EmptyState text={text.decisions.empty} />;
  const undoDecision = (id: string) =>
    run(id, () =>
      undo(id)
        .then((undone) => showToast(undone ? text.acts.undone : text.acts.notUndone))
        .finally(() => client.invalidateQueries({ queryKey: ['desk'] })),
    );
  return (
    <ul className="grid-2">
      {data.map((decision) => (
        <li key={decision.id} className={styles.line}>
          <span>
            <strong>{textOf(text.types, decision.type)}</strong>
            {decision.park_name && (
              <>
                {' '}
                <bdi>{decision.park_name}</bdi>
              </>
            )}
            {' · '}
            {decision.decision === 'approve'
              ? text.acts.approved
              : decision.decision === 'reject'
                ? text.acts.rejected
                : textOf({ ...text.team.acts, ...text.sanctions }, decision.decision)}
            {decision.reason && ` · ${text.reasons[decision.reason]}`}
            {decision.undone_at && ` · ${text.item.revoked}`}
          </span>
          <time className="soft" dateTime={decision.decided_at}>
            {formatTime(decision.decided_at)}
          </time>
          {decision.can_be_undone && (
            <Button
              variant="secondary"
              busy={busy === decision.id}
              disabled={busy !== null}
              onClick={() => undoDecision(decision.id)}
            >
              {text.acts.undo}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
