// The reasons of reports, one line for each.
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';

interface ReportLine {
  reason: string;
  count?: number;
  note?: string | null;
}

export function ReportLines({ reports }: { reports: readonly ReportLine[] }) {
  const text = useDeskText();
  return (
    <ul className="grid-2">
      {reports.map(({ reason, count = 1, note }, index) => (
        <li key={index}>
          {textOf(text.reasons, reason)} {count > 1 && fill(text.item.times, { count })}
          {note && (
            <p dir="auto" className="soft">
              {note}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
