// The area in which a site's parks are plausible: its countries, and the surroundings of its start place and existing parks.
import { isIn } from '@rapideditor/country-coder';
import type { Expected } from '../../../../shared/import-report.ts';
import type pg from 'pg';
import type { Place } from '#/product/imports/geometry.ts';

export interface Site {
  /** Lower-case country codes such as `il`. */
  countries: readonly string[];
  start: Place | null;
}

interface SiteArea {
  /** The area's name for the operator, such as `IL`. */
  name: string;
  contains(place: Place): boolean;
  /** Returns null for a plausible place, otherwise what is wrong with it, such as swapped coordinates. */
  check(place: Place): Expected | null;
}

/** Maximum distance from existing parks, in degrees. */
const NEAR_PARKS = 1;
/** Maximum distance from the start place, in degrees. */
const NEAR_START = 3;

const turned = (long: number) => Math.min(Math.abs(long), 360 - Math.abs(long));

export async function readSiteArea(
  client: pg.ClientBase,
  { countries, start }: Site,
): Promise<SiteArea> {
  const { rows: cells } = await client.query<Place>(
    `select distinct round(lat)::float as lat, round(long)::float as long from public.parks where status = 'approved'`,
  );
  const known = new Set(cells.map(({ lat, long }) => `${lat} ${long}`));
  const isKnown = ({ lat, long }: Place) => {
    for (let y = -NEAR_PARKS; y <= NEAR_PARKS; y += 1)
      for (let x = -NEAR_PARKS; x <= NEAR_PARKS; x += 1)
        if (known.has(`${Math.round(lat) + y} ${Math.round(long) + x}`)) return true;
    return false;
  };
  const isNearStart = ({ lat, long }: Place) =>
    start !== null &&
    Math.abs(lat - start.lat) <= NEAR_START &&
    turned(long - start.long) * Math.cos((lat * Math.PI) / 180) <= NEAR_START;
  const isInCountry = ({ lat, long }: Place) =>
    countries.some((country) => isIn([long, lat], country.toUpperCase()) === true);
  const contains = (place: Place) => isInCountry(place) || isNearStart(place) || isKnown(place);
  const name = countries.map((country) => country.toUpperCase()).join(', ');
  return {
    name,
    contains,
    check({ lat, long }) {
      const swapped = { lat: long, long: lat };
      if (Math.abs(long) > 90 || contains({ lat, long }) || !contains(swapped)) return null;
      const wrongParks = isKnown(swapped) && !isInCountry(swapped) && !isNearStart(swapped);
      const values = { place: `${long}, ${lat}` };
      return wrongParks
        ? {
            type: 'swapped near parks',
            values: { ...values, command: '"packpark imports undo"' },
          }
        : {
            type: 'swapped',
            values: { ...values, area: name, settings: 'ADDRESS_COUNTRY, START_PLACE' },
          };
    },
  };
}
