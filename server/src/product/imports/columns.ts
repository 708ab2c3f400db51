// The columns of somebody's table: which of ours they are, and what is said where one is missing or means nothing.
import { StartError } from '#/host/lib/start-error.ts';
import { foldName, type Mapping } from '#/product/imports/mapping.ts';
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
 * Looks at the header of a table before any row is read.
 * @returns the columns that mean nothing to us
 * @throws StartError where the mapping names columns that are not there, or no column is known as the name
 */
export function checkHeader(header: string[], mapping: Mapping): string[] {
  const there = new Set(header.map(foldName));
  const listed = `it has: ${header.join(', ')}`;
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
  const read = new Set(Object.keys(mapping.only).map(foldName));
  return header.filter((column) => {
    const folded = foldName(column);
    return meaning(folded) === undefined && !isTag(folded) && !read.has(folded);
  });
}
