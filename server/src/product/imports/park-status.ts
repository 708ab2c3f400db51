// Detects whether a park is open: from a status column, and from values such as "Temporarily closed" in other columns.
import {
  foldWord,
  isUnknown,
  readTruth,
  shownValue,
  ValueError,
} from '#/product/imports/values.ts';
import type { Values } from '#/product/imports/osm-tags.ts';

const words = (list: string) => list.split(',');

/** Columns, in lower case with spaces between words, whose values describe whether the park is open. */
const STATUS_COLUMNS = new Set([
  ...words('status,park status,site status,asset status,operational status,operating status'),
  ...words('current status,lifecycle,life cycle,life cycle status,lifecycle status,closure'),
  ...words('סטטוס,סטטוס הגינה,حالة الحديقة,حالة التشغيل'),
]);
/** Columns in which yes means that the park is open. */
const OPEN_COLUMNS = new Set(
  words('open,is open,active,is active,in service,in use,operational,פתוח,פעיל,مفتوح,مفتوحة'),
);
const CLOSED_COLUMNS = new Set([
  ...words('closed,is closed,temporarily closed,permanently closed,inactive,out of service'),
  ...words('date closed,closed date,closing date,closure date,סגור,סגור זמנית,مغلق,مغلقة'),
]);

const OPEN = new Set([
  ...words(
    'open,opened,open to public,open to the public,active,existing,exists,current,in service',
  ),
  ...words(
    'in use,in operation,operational,operating,available,completed,complete,built,installed',
  ),
  ...words('פתוח,פתוחה,פעיל,פעילה,קיים,קיימת,مفتوح,مفتوحة,نشط,نشطة,قائم,قائمة'),
]);
/**
 * Values that mean, in any column, that the park is closed, unless more words follow: "closed on Mondays" describes opening hours.
 */
const CLOSED = words(
  'closed,temporarily closed,permanently closed,seasonally closed,currently closed,decommissioned,' +
    'under construction,demolished,abandoned,out of service,out of order,' +
    'סגור,סגורה,בשיפוצים,בשיפוץ,בבנייה,בבניה,مغلق,مغلقة,قيد الإنشاء,تحت الإنشاء,قيد الصيانة,' +
    'fermé,fermée,encerrado,encerrada,cerrado,cerrada,geschlossen,gesperrt,chiuso,gesloten',
);
/** Words that mean closed only in a status column, because they can mean something else in other columns. */
const NOT_OPEN = words(
  'proposed,planned,future,pending,approved for construction,in design,construction,removed,retired,inactive,' +
    'not active,not open,disused,vacant,unavailable,מתוכנן,מתוכננת,בתכנון,לא פעיל,לא פעילה,مخطط,مقترح,غير نشط',
);
/** Matches a reason or a time after the word. */
const ADDITION = String.raw`(?:\s*[-–—:;,(].*| (?:for|until|till|since|due|because|pending|temporarily|permanently|now|pour|para|por|wegen|bis|per|זמנית|לצמיתות|לשיפוצים|עד|עקב|מאז|مؤقتا|مؤقتًا|حتى|بسبب|للصيانة|نهائيا)(?: .*)?)?`;
const isClosed = new RegExp(`^(?:${CLOSED.join('|')})${ADDITION}$`, 'u');
const isNotOpen = new RegExp(`^(?:${[...CLOSED, ...NOT_OPEN].join('|')})${ADDITION}$`, 'u');

const spaced = (column: string): string => column.replaceAll(/[\s_-]+/g, ' ');

/** @param column normalised by foldName */
export const isStatusColumn = (column: string): boolean =>
  [STATUS_COLUMNS, OPEN_COLUMNS, CLOSED_COLUMNS].some((columns) => columns.has(spaced(column)));

function isOpen(column: string, value: unknown): boolean | null {
  const word = foldWord(value);
  if (isNotOpen.test(word)) return false;
  if (OPEN.has(word)) return true;
  const truth = STATUS_COLUMNS.has(spaced(column)) ? null : readTruth(value);
  return truth === null ? null : truth !== CLOSED_COLUMNS.has(spaced(column));
}

/**
 * Returns the column and value that mark the park as closed, so that it is skipped; null for an open park.
 * @param values of columns without another meaning
 * @param isTagged true for a feature with OpenStreetMap tags, for which only known values in status columns count
 * @throws ValueError for a status of unknown meaning, because the park may be closed
 */
export function whyClosed(values: Values, isTagged: boolean): string | null {
  for (const [column, value] of Object.entries(values)) {
    if (isUnknown(value)) continue;
    const reason = `${column}=${shownValue(value)}`;
    if (!isStatusColumn(column)) {
      if (!isTagged && isClosed.test(foldWord(value))) return reason;
      continue;
    }
    const open = isOpen(column, value);
    if (open === false) return reason;
    if (open === null && !isTagged)
      throw new ValueError(column, shownValue(value), 'status', {
        only: '"only"',
        ignore: '"ignore"',
      });
  }
  return null;
}
