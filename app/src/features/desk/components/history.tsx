// What was decided about a person, newest first.
import type { HistoryLine } from '#/features/desk/queries/desk.ts';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { useMoment } from '#/features/desk/use-moment.ts';
import { Button } from '#/ui/button.tsx';
import styles from './desk.module.css';

/** @param onLift where measures may be lifted */
export function History({
  lines,
  onLift,
}: {
  lines: readonly HistoryLine[];
  onLift?: ((measureId: string) => void) | undefined;
}) {
  const text = useDeskText();
  const moment = useMoment();
  if (lines.length === 0) return <p className="soft">{text.item.noHistory}</p>;
  return (
    <ul className="grid-2">
      {lines.map((line) => (
        <li key={`${line.at} ${line.decision}`} className={styles.line}>
          <span>
            <strong>{textOf(text.measures, line.decision)}</strong>
            {line.reason && ` · ${text.reasons[line.reason]}`}
            {line.until && ` · ${fill(text.item.until, { date: moment(line.until) })}`}
            {line.lifted_at && ` · ${text.item.lifted}`}
          </span>
          <time className="soft" dateTime={line.at}>
            {moment(line.at)}
          </time>
          {onLift && line.measure_id && line.decision !== 'warn' && !line.lifted_at && (
            <Button variant="secondary" onClick={() => onLift(line.measure_id ?? '')}>
              {text.measures.lift}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
