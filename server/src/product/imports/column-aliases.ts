// The columns of a table: the names that other programs and cities use for them, and the error if the header lacks a required one.
import { StartError } from '#/host/lib/start-error.ts';
import { foldName, type Mapping } from '#/product/imports/mapping-file.ts';
import { isTag, type Values } from '#/product/imports/osm-tags.ts';
import { isStatusColumn } from '#/product/imports/park-status.ts';
import { COLUMN_NAMES } from '#/product/imports/validate-park.ts';
import { AREA_UNITS } from '#/product/imports/values.ts';

/** Other names of a column, in lower case, with spaces between words. */
const ALIASES: Record<string, string> = {
  name: 'park name,site name,title,label,שם,שם הגינה,שם גינה,שם הגן,שם האתר,שם הפארק,الاسم,اسم,اسم الحديقة',
  city: 'town,municipality,עיר,יישוב,ישוב,المدينة,مدينة,البلدة',
  address: 'street,street address,location,כתובת,רחוב,מיקום,العنوان,عنوان,الشارع,شارع,الموقع',
  lat: 'latitude,y,@lat,geo lat,point y,קו רוחב,خط العرض',
  long: 'lon,lng,longitude,x,@lon,geo lon,geo lng,point x,קו אורך,خط الطول',
  geometry:
    'wkt,geom,the geom,geometry,shape,geo shape,geo point,geo point 2d,point,coordinates,coordinate,coords,latlng,latlong,lat long,lat lon,lat/long,lat/lon,geolocation,position,geocoded column,נ"צ,נקודת ציון,קואורדינטות,الإحداثيات',
  size: 'area,size,surface area,שטח,גודל,المساحة,مساحة',
  shade: 'shade hours,שעות צל,ساعات الظل',
  materials: 'ground,ground cover,משטח,סוג משטח,الأرضية',
  opening_hours: 'hours,שעות פתיחה,שעות פעילות,ساعات العمل,أوقات الدوام',
  fenced: 'fence,גידור,מגודר,مسيج',
  lit: 'lighting,lights,תאורה,إضاءة',
  drinking_water: 'water,water fountain,drinking fountain,מים,ברזיה,ברזיית מים,ماء,مياه الشرب',
  bench: 'benches,seating,ספסל,ספסלים,مقعد,مقاعد',
  parking: 'חניה,موقف سيارات',
  wheelchair: 'accessible,accessibility,נגישות,נגיש,إمكانية الوصول',
  fee: 'תשלום,رسوم',
  access: 'גישה,الدخول',
  source_ref: 'id,ref,מזהה,המזהה,المعرف,معرف',
  source_date: 'date,updated,last updated,תאריך,תאריך עדכון,تاريخ,تاريخ التحديث',
};

/** Columns that databases add automatically, such as row IDs. */
const TECHNICAL = new Set(
  'objectid,fid,gid,ogc fid,globalid,shape area,shape length,shape leng,shape len,se anno cad data'.split(
    ',',
  ),
);

const spaced = (column: string): string => column.replaceAll(/[\s_-]+/g, ' ');

const COLUMNS = new Map([
  ...COLUMN_NAMES.map((column) => [spaced(column), column] as const),
  ...Object.entries(ALIASES).flatMap(([column, names]) =>
    names.split(',').map((name) => [name, column] as const),
  ),
]);

/** Returns the unit in the name of an area column, such as `area (ha)`, `acres` and `שטח בדונם`. */
function unitIn(column: string): string | undefined {
  const unit = spaced(column)
    .normalize('NFKC')
    .replace(/^(area|size|surface|שטח|גודל|المساحة|مساحة)(?: in| ב-?|(?= )|(?=[([]))/u, '')
    .replaceAll(/[()[\]]/g, '')
    .trim();
  return unit !== column && unit in AREA_UNITS
    ? unit
    : unit.length > 3 && unit in AREA_UNITS
      ? unit
      : undefined;
}

/**
 * @param column normalised by foldName
 * @returns Packpark's name of the column
 */
const columnOf = (column: string): string | undefined =>
  COLUMNS.get(spaced(column)) ?? (unitIn(column) === undefined ? undefined : 'size');

/** Adds the values of columns with other names under Packpark's names. */
export function withAliases(values: Values): Values {
  const result = { ...values };
  for (const [name, value] of Object.entries(values)) {
    const column = columnOf(name);
    if (column === undefined || (result[column] ?? '') !== '' || (value ?? '') === '') continue;
    const unit = column === 'size' ? unitIn(name) : undefined;
    const isBare = /^[\d.,' ]+$/.test(String(value));
    result[column] = unit !== undefined && isBare ? `${String(value)} ${unit}` : value;
  }
  return result;
}

const isName = (column: string) => /^name(_|$)/.test(column);

/** Returns a function that detects columns to which neither Packpark nor the mapping file assigns a meaning. */
function withoutMeaning(mapping: Mapping): (column: string) => boolean {
  const named = [mapping.columns, mapping.only].flatMap((part) => Object.keys(part));
  const known = new Set([...named, ...mapping.ignore].map(foldName));
  return (column) => columnOf(column) === undefined && !isTag(column) && !known.has(column);
}

/**
 * @param values by names that foldName normalised
 * @returns the values of columns without a meaning
 */
export function unreadValues(values: Values, mapping: Mapping): Values {
  const isUnread = withoutMeaning(mapping);
  return Object.fromEntries(Object.entries(values).filter(([column]) => isUnread(column)));
}

/**
 * Checks the header of a table before any row is read, or the properties of an untagged file before any park is written.
 * @returns the columns that are not read
 * @throws StartError if the mapping names columns that the table lacks, if the name column is missing, or if a column's meaning is
 * unknown
 */
export function checkHeader(
  header: string[],
  { mapping, skipUnknown }: { mapping: Mapping; skipUnknown: boolean },
): string[] {
  const there = new Set(header.map(foldName));
  const listed = `it has: ${header.join(', ') || 'none'}`;
  for (const theirs of [
    ...Object.keys(mapping.columns),
    ...Object.keys(mapping.only),
    ...mapping.ignore,
  ])
    if (!there.has(foldName(theirs)))
      throw new StartError(
        `The mapping file names the column "${theirs}", which the table lacks; ${listed}.`,
      );
  const mappedTo = new Map(
    Object.entries(mapping.columns).map(([theirs, ours]) => [foldName(theirs), ours]),
  );
  const meaning = (column: string) => mappedTo.get(column) ?? columnOf(column);
  const names = [...there].filter((column) => isName(meaning(column) ?? column.replace(':', '_')));
  if (names.length === 0 && !Object.keys(mapping.fixed).some(isName))
    throw new StartError(
      `No column of the table is known as the name of a park; ${listed}. Name it in a mapping file (docs/import.md).`,
    );
  const isUnread = withoutMeaning(mapping);
  const unread = header.filter(
    (column) => isUnread(foldName(column)) && !isStatusColumn(foldName(column)),
  );
  const unknown = unread.filter((column) => !TECHNICAL.has(spaced(foldName(column))));
  if (unknown.length > 0 && !skipUnknown)
    throw new StartError(
      `The meaning of these columns is unknown: ${unknown.join(', ')}. Name it in a mapping file (docs/import.md), or leave them out with --skip-unknown.`,
    );
  return unread;
}
