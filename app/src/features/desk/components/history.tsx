// The decisions about a user, newest first.
import type { HistoryLine } from '#/features/desk/queries/desk.ts';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { Button } from '#/ui/button.tsx';
import styles from './desk.module.css';

/** @param onRevoke called with the ID of the sanction to revoke; omit it to hide the button */
export function History({
  lines,
  onRevoke,
}: {
  lines: readonly HistoryLine[];
  onRevoke?: ((sanctionId: string) => void) | undefined;
}) {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  if (lines.length === 0) return <p className="soft">{text.item.noHistory}</p>;
  return (
    <ul className="grid-2">
      {lines.map((line) => (
        <li key={`${line.at} ${line.decision}`} className={styles.line}>
          <span>
            <strong>{textOf(text.sanctions, line.decision)}</strong>
            {line.reason && ` · ${text.reasons[line.reason]}`}
            {line.until && ` · ${fill(text.item.until, { date: formatTime(line.until) })}`}
            {line.revoked_at && ` · ${text.item.revoked}`}
          </span>
          <time className="soft" dateTime={line.at}>
            {formatTime(line.at)}
          </time>
          {onRevoke && line.sanction_id && line.decision !== 'warn' && !line.revoked_at && (
            <Button variant="secondary" onClick={() => onRevoke(line.sanction_id ?? '')}>
              {text.sanctions.revoke}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
