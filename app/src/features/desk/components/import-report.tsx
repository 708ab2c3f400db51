// The report of an import: warnings about the file, the outcome of each row, and the parks on a map.
import type { ReactNode, Ref } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { useLocale } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Select } from '#/ui/select.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import type {
  Expected,
  ImportReport,
  ImportStep,
  Review,
  RowGroup,
} from '../../../../../shared/import-report.ts';
import styles from './desk.module.css';

const ImportMap = lazyPart(
  () => import('#/features/desk/components/import-map.tsx'),
  PartMissing,
  <Skeleton height="20rem" />,
);

/** Decisions by row ID, for rows that need a review. Each is the ID of the park that the row describes, or `new`. */
export type Decisions = Readonly<Record<string, string>>;

const MAX_LISTED = 100;
const OUTCOMES = ['new', 'changed', 'unchanged', 'needsReview', 'leftOut', 'rejected'] as const;

function stateOf(report: ImportReport, step: ImportStep) {
  if (report.written) return report.id === null ? 'upToDate' : 'written';
  if (report.new + report.changed + report.unchanged === 0 && report.needsReview === 0)
    return 'nothing';
  if (step === 'preview') return 'preview';
  return report.odd.length > 0 ? 'odd' : 'undecided';
}

interface ImportReportViewProps {
  ref: Ref<HTMLHeadingElement>;
  fileName: string;
  step: ImportStep;
  report: ImportReport;
  decisions: Decisions;
  running: ImportStep | null;
  canUndo: boolean;
  onDecide: (decisions: Decisions) => void;
  onImport: (step: ImportStep) => void;
  onUndo: (id: string) => void;
}

export function ImportReportView(props: ImportReportViewProps) {
  const { ref, fileName, step, report, decisions, running, canUndo, onDecide, onImport, onUndo } =
    props;
  const text = useDeskText();
  const number = new Intl.NumberFormat(useLocale());
  const state = stateOf(report, step);
  const isOdd = report.odd.length > 0 && !report.written;
  return (
    <Card as="section" className={styles.stack}>
      <h2 ref={ref} tabIndex={-1} className={styles.label}>
        {textOf(text.imports.state, state)} <bdi className="soft">{fileName}</bdi>
      </h2>
      {report.odd.length > 0 && (
        <ul className={styles.findings}>
          {report.odd.map(({ type, count, total }) => (
            <li key={type}>
              {fill(textOf(text.imports.odd, type), { count, total, area: report.area })}
            </li>
          ))}
        </ul>
      )}
      <dl className={styles.numbers}>
        {OUTCOMES.map((outcome) => (
          <div key={outcome}>
            <dt className="soft">
              <span className={styles.dot} data-outcome={outcome} />
              {text.imports.outcome[outcome]}
            </dt>
            <dd className={styles.number}>{number.format(report[outcome])}</dd>
          </div>
        ))}
      </dl>
      <div className="wrap-2">
        {isOdd && (
          <Button
            variant="danger"
            busy={running === 'import anyway'}
            onClick={() => onImport('import anyway')}
          >
            {text.imports.importAnyway}
          </Button>
        )}
        {canUndo && (
          <Button variant="secondary" onClick={() => onUndo(report.id ?? '')}>
            {text.imports.undo}
          </Button>
        )}
      </div>
      {report.places.length > 0 && <ImportMap places={report.places} />}
      <Reviews
        reviews={report.reviews}
        decisions={decisions}
        onDecide={onDecide}
        action={
          !isOdd && (
            <Button
              busy={running !== null}
              disabled={Object.keys(decisions).length === 0}
              onClick={() => onImport('import')}
            >
              {text.imports.decide}
            </Button>
          )
        }
      />
      <Rows report={report} />
    </Card>
  );
}

interface ReviewsProps {
  reviews: readonly Review[];
  decisions: Decisions;
  onDecide: (decisions: Decisions) => void;
  action: ReactNode;
}

function Reviews({ reviews, decisions, onDecide, action }: ReviewsProps) {
  const text = useDeskText();
  const metres = new Intl.NumberFormat(useLocale(), {
    style: 'unit',
    unit: 'meter',
    maximumFractionDigits: 0,
  });
  if (reviews.length === 0) return null;
  function decide(ref: string, decision: string): void {
    const { [ref]: _, ...others } = decisions;
    onDecide(decision === '' ? others : { ...others, [ref]: decision });
  }
  return (
    <section className={styles.stack}>
      <h3 className={styles.label}>{text.imports.outcome.needsReview}</h3>
      {reviews.slice(0, MAX_LISTED).map((review) => (
        <Select
          key={review.row}
          label={`${fill(text.imports.row, { row: review.row })}: ${isolated(review.name)}`}
          hint={fill(textOf(text.imports.reasons, review.reason), {
            park: isolated(review.park_name || review.park),
            distance: metres.format(review.metres),
            source: isolated(review.source === 'user' ? text.imports.users : review.source),
          })}
          options={[
            { value: 'later', label: text.imports.later },
            { value: review.park, label: text.imports.same },
            { value: 'new', label: text.imports.another },
          ]}
          value={decisions[review.ref] ?? 'later'}
          onChange={(value) => decide(review.ref, value === 'later' ? '' : value)}
        />
      ))}
      <Others count={reviews.length - MAX_LISTED} />
      {action && <div>{action}</div>}
    </section>
  );
}

/** Wraps text from the file in bidi isolates, so its direction does not affect the sentence around it. */
const isolated = (value: string): string => `\u2068${value}\u2069`;

function Others({ count }: { count: number }) {
  const text = useDeskText();
  return count > 0 ? <p className="soft">{fill(text.imports.others, { count })}</p> : null;
}

interface FoldProps {
  title: string;
  about?: string;
  count: number;
  children: ReactNode;
}

function Fold({ title, about, count, children }: FoldProps) {
  const number = new Intl.NumberFormat(useLocale());
  if (count === 0) return null;
  return (
    <details className={styles.unset}>
      <summary>
        {title}: {number.format(count)}
      </summary>
      {about !== undefined && <p className="soft">{about}</p>}
      {children}
    </details>
  );
}

interface WrongValueProps {
  row: string;
  column: string;
  value: string;
  expected: Expected;
}

function WrongValue({ row, column, value, expected }: WrongValueProps) {
  const text = useDeskText();
  const values = Object.fromEntries(
    Object.entries(expected.values ?? {}).map(([name, one]) => [name, isolated(String(one))]),
  );
  return (
    <li className={styles.line}>
      <span>{fill(text.imports.row, { row })}</span>
      <code dir="ltr">{column}</code>
      {value === '' ? <span>{text.imports.missing}</span> : <bdi>{value}</bdi>}
      <span className="soft">
        {text.imports.expected} {fill(textOf(text.imports.expectations, expected.type), values)}
      </span>
    </li>
  );
}

function Rows({ report }: { report: ImportReport }) {
  const text = useDeskText();
  const { rejectedRows, leftOutRows, dropped, unread, conflicts, vanished } = report;
  const rowsOf = ({ count, rows }: RowGroup) =>
    `${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
  return (
    <div>
      <Fold title={text.imports.outcome.rejected} count={report.rejected}>
        <ul>
          {rejectedRows.map(({ row, ...wrong }) => (
            <WrongValue key={row} row={String(row)} {...wrong} />
          ))}
        </ul>
        <Others count={report.rejected - rejectedRows.length} />
      </Fold>
      <Fold title={text.imports.outcome.leftOut} count={report.leftOut}>
        <ul>
          {leftOutRows.map((group) => (
            <li key={group.reason} className={styles.line}>
              {group.count} × <bdi>{textOf(text.imports.leftOut, group.reason)}</bdi>
              <span className="soft">{fill(text.imports.row, { row: rowsOf(group) })}</span>
            </li>
          ))}
        </ul>
      </Fold>
      <Fold
        title={text.imports.dropped}
        about={text.imports.droppedAbout}
        count={dropped.reduce((sum, { count }) => sum + count, 0)}
      >
        <ul>
          {dropped.map(({ column, value, expected, ...group }) => (
            <WrongValue
              key={`${column} ${value}`}
              row={rowsOf(group)}
              column={column}
              value={value}
              expected={expected}
            />
          ))}
        </ul>
      </Fold>
      <Fold title={text.imports.unread} count={unread.length}>
        <p>
          {unread.map((column) => (
            <span key={column}>
              <bdi>{column}</bdi>{' '}
            </span>
          ))}
        </p>
      </Fold>
      <Fold
        title={text.imports.conflicts}
        about={text.imports.conflictsAbout}
        count={conflicts.length}
      >
        <ul>
          {conflicts.slice(0, MAX_LISTED).map(({ park, name, what, current, imported }) => (
            <li key={`${park} ${what}`} className={styles.line}>
              <bdi>{name || park}</bdi>
              {fill(text.imports.conflict, {
                what: isolated(what),
                current: isolated(current),
                imported: isolated(imported),
              })}
            </li>
          ))}
        </ul>
        <Others count={conflicts.length - MAX_LISTED} />
      </Fold>
      <Fold
        title={text.imports.vanished}
        about={text.imports.vanishedAbout}
        count={vanished.length}
      >
        <ul>
          {vanished.slice(0, MAX_LISTED).map(({ park, name, ref }) => (
            <li key={park} className={styles.line}>
              <bdi>{name || park}</bdi> <bdi className="soft">{ref}</bdi>
            </li>
          ))}
        </ul>
        <Others count={vanished.length - MAX_LISTED} />
      </Fold>
      {report.joined > 0 && <p>{fill(text.imports.joined, { count: report.joined })}</p>}
      {report.nameless > 0 && <p>{fill(text.imports.nameless, { count: report.nameless })}</p>}
      {report.shelters > 0 && <p>{fill(text.imports.shelters, { count: report.shelters })}</p>}
    </div>
  );
}
