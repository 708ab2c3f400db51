// The columns of somebody's table: which of ours they are, and what is said where one is missing or means nothing.
import { StartError } from '#/host/lib/start-error.ts';
import { foldName, type Mapping } from '#/product/imports/mapping-file.ts';
import { isTag, type Values } from '#/product/imports/osm-tags.ts';
import { COLUMN_NAMES } from '#/product/imports/park-row.ts';

/** How else people and tools write the names of columns. */
const ALIASES: Record<string, string[]> = {
  name: [
    'park name',
    'park_name',
    'title',
    'שם',
    'שם הגינה',
    'שם גינה',
    'שם הגן',
    'שם האתר',
    'الاسم',
    'اسم',
    'اسم الحديقة',
  ],
  city: ['town', 'municipality', 'עיר', 'יישוב', 'ישוב', 'المدينة', 'مدينة', 'البلدة'],
  address: ['street', 'location', 'כתובת', 'רחוב', 'מיקום', 'العنوان', 'عنوان', 'الشارع', 'شارع'],
  lat: ['latitude', 'y', '@lat', 'geo_lat', 'קו רוחב', 'خط العرض'],
  long: ['lon', 'lng', 'longitude', 'x', '@lon', 'geo_lon', 'geo_lng', 'קו אורך', 'خط الطول'],
  size: ['area', 'שטח', 'שטח במ"ר', 'גודל', 'المساحة', 'مساحة'],
  opening_hours: ['opening hours', 'שעות פתיחה', 'ساعات العمل', 'أوقات الدوام'],
  source_ref: ['id', 'מזהה', 'المعرف'],
};

/** The values with ours filled in from columns that are called otherwise. */
export function withAliases(values: Values): Values {
  const result = { ...values };
  for (const [ours, others] of Object.entries(ALIASES)) {
    const other = others.find((name) => (values[name] ?? '') !== '');
    if ((result[ours] ?? '') === '' && other !== undefined) result[ours] = values[other];
  }
  return result;
}

const isName = (column: string) => /^name(_|$)/.test(column);

/**
 * Looks at the header of a table before any row is read, or at all properties of a file without tags before any park is written.
 * @throws StartError where the mapping names columns that are not there, no column is known as the name, or one means nothing to us
 */
export function checkHeader(
  header: string[],
  { mapping, skipUnknown }: { mapping: Mapping; skipUnknown: boolean },
): void {
  const there = new Set(header.map(foldName));
  const listed = `it has: ${header.join(', ') || 'none'}`;
  for (const theirs of [...Object.keys(mapping.columns), ...Object.keys(mapping.only)])
    if (!there.has(foldName(theirs)))
      throw new StartError(
        `The mapping file names the column "${theirs}", which the table lacks; ${listed}.`,
      );
  const mappedTo = new Map(
    Object.entries(mapping.columns).map(([theirs, ours]) => [foldName(theirs), ours]),
  );
  const aliases = new Map(
    Object.entries(ALIASES).flatMap(([ours, others]) => others.map((other) => [other, ours])),
  );
  const meaning = (column: string) =>
    mappedTo.get(column) ?? (COLUMN_NAMES.includes(column) ? column : aliases.get(column));
  const names = [...there].filter((column) => isName(meaning(column) ?? column.replace(':', '_')));
  if (names.length === 0 && !Object.keys(mapping.fixed).some(isName))
    throw new StartError(
      `No column of the table is known as the name of a park; ${listed}. A mapping file says which one it is (docs/import.md).`,
    );
  // Our own open data say which facts people said.
  const others = new Set(['by_people', ...Object.keys(mapping.only).map(foldName)]);
  const unknown = header.filter((column) => {
    const folded = foldName(column);
    return meaning(folded) === undefined && !isTag(folded) && !others.has(folded);
  });
  if (unknown.length > 0 && !skipUnknown)
    throw new StartError(
      `These columns mean nothing to us: ${unknown.join(', ')}. Say in a mapping file what they are (docs/import.md), or leave them out with --skip-unknown.`,
    );
}
