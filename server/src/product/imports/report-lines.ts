// Formats the report of an import as lines for a terminal.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_LISTED, type ImportReport } from '#/product/imports/report.ts';
import { fill } from '../../../../shared/fill.ts';
import type { Expected, Oddity } from '../../../../shared/import-report.ts';
import type english from '../../../../languages/en/desk.json';
import { ROOT } from '#/host/lib/paths.ts';

/** The command prints English. The desk shows the same messages in the reader's language. */
const { expectations } = (
  JSON.parse(readFileSync(path.join(ROOT, 'languages/en/desk.json'), 'utf8')) as typeof english
).imports;

const ODDITIES: Record<Oddity['type'], (odd: Oddity, area: string) => string> = {
  outside: ({ count, total }, area) => `${count} of ${total} parks are outside ${area}`,
  moved: ({ count, total }) => `${count} of ${total} known parks would move more than 500 m`,
  renamed: ({ count, total }) => `${count} of ${total} known parks would get another name`,
  rejected: ({ count, total }) => `${count} of ${total} rows are rejected`,
  'same place': ({ count, total }) => `${count} of ${total} parks are at the same place`,
};

/** Returns the warnings that are printed before the confirmation. */
export const oddLines = ({ odd, area }: ImportReport): string[] =>
  odd.map((one) => ODDITIES[one.type](one, area));

const rowsOf = ({ count, rows }: { count: number; rows: number[] }) =>
  `row ${rows.join(', ')}${count > rows.length ? ', …' : ''}`;

const listed = <Item>(items: Item[], line: (item: Item) => string, what: string): string[] => [
  ...items.slice(0, MAX_LISTED).map(line),
  ...(items.length > MAX_LISTED ? [`… and ${items.length - MAX_LISTED} more ${what}.`] : []),
];

const section = (title: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const parkName = ({ park, name }: { park: string; name: string }): string =>
  name ? `${park} (${name})` : park;

const formatExpected = ({ type, values = {} }: Expected): string =>
  fill(expectations[type], values);

const wrong = (row: number, column: string, value: string, expected: Expected) =>
  value === ''
    ? `Row ${row}: ${column} is missing; expected ${formatExpected(expected)}`
    : `Row ${row}: ${column} is "${value}"; expected ${formatExpected(expected)}`;

function previewLine({ row, park }: ImportReport['preview'][number]): string {
  const { lat, long, columns, facts, texts } = park;
  const names = Object.entries(texts).map(
    ([language, { name, city, address }]) =>
      `${language}: ${[name, address, city].filter(Boolean).join(', ')}`,
  );
  const known = Object.entries({ ...columns, ...facts })
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${String(value)}`);
  return `Row ${row}: ${names.join(' | ')} (${[`${lat}, ${long}`, ...known].join('; ')})`;
}

export function noteLines(report: ImportReport, dryRun: boolean): string[] {
  const { rejectedRows, rejected } = report;
  return [
    ...(dryRun ? section('The first parks:', report.preview.map(previewLine)) : []),
    ...rejectedRows.map(({ row, column, value, expected }) => wrong(row, column, value, expected)),
    ...(rejected > rejectedRows.length
      ? [`… and ${rejected - rejectedRows.length} more rejected rows.`]
      : []),
    ...section(
      `Left out ${report.leftOut} rows:`,
      report.leftOutRows.map((group) => `${group.count} × ${group.reason} (${rowsOf(group)})`),
    ),
    ...section(
      'Values that are not understood; their parks are imported without them:',
      report.dropped.map(
        (group) =>
          `${group.column} "${group.value}" (${rowsOf(group)}); expected ${formatExpected(group.expected)}`,
      ),
    ),
    ...section(
      'Columns that are not read:',
      report.unread.length > 0 ? [report.unread.join(', ')] : [],
    ),
    ...section(
      'These rows need a decision, and are not written. --same ID=PARK: the row is this known park; --new ID: it is another one.',
      listed(
        report.reviews,
        ({ row, reason, ref, name, park, park_name, source, metres }) =>
          reason === 'id'
            ? `Row ${row} (${name}) has the id ${ref} of park ${park} (${park_name}), which is ${Math.round(metres)} m away and has another name`
            : `Row ${row} (${name}, id ${ref}) is ${Math.round(metres)} m from park ${park} (${park_name}) of ${source === 'user' ? 'users' : source}`,
        'such rows',
      ),
    ),
    ...(report.joined > 0
      ? [
          `Parks that are also known from another source: ${report.joined}. Their missing values are added.`,
        ]
      : []),
    ...(report.shelters > 0
      ? [`Measured from each park to the nearest of ${report.shelters} public shelters.`]
      : []),
    ...(report.nameless > 0
      ? [`Parks without a name, named after their street or "Dog park": ${report.nameless}.`]
      : []),
    ...section(
      'The source has a new value where users corrected it; the corrected value stays:',
      listed(
        report.conflicts,
        (one) =>
          `Park ${parkName(one)}: ${one.what} is ${one.current} here, ${one.imported} in the file`,
        'such values',
      ),
    ),
    ...section(
      'These parks of the same source are missing in the file; they are not changed:',
      listed(report.vanished, (one) => `Park ${parkName(one)}, ${one.ref}`, 'such parks'),
    ),
  ];
}

export function resultLine(report: ImportReport): string {
  const sums = [
    `${report.new} new`,
    `${report.changed} changed`,
    `${report.unchanged} unchanged`,
    `${report.leftOut} left out`,
    `${report.rejected} rejected`,
    `${report.needsReview} to be decided`,
  ].join(', ');
  return report.written ? `Imported: ${sums}.` : `Would import: ${sums}. Nothing was changed.`;
}
