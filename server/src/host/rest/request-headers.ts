// Parses the request headers that choose the format, the page and the preferences.
import { RestError, badRange } from '#/host/rest/errors.ts';

export interface Preferences {
  count: 'exact' | 'planned' | 'estimated' | null;
  return: 'minimal' | 'headers-only' | 'representation' | null;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  missing: 'default' | 'null' | null;
  handling: 'strict' | 'lenient' | null;
  maxAffected: number | null;
  /** The known preferences, in the order of the Preference-Applied header. */
  applied: [name: string, value: string][];
}

const KNOWN: Record<string, readonly string[]> = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  handling: ['strict', 'lenient'],
};

/**
 * Parses `Prefer`. If a preference is repeated, the first value applies.
 * @throws PGRST122 for an unknown one with handling=strict
 */
export function readPreferences(header: string | null): Preferences {
  const found = new Map<string, string>();
  const invalid: string[] = [];
  for (const preference of (header ?? '').split(',').map((each) => each.trim())) {
    if (preference === '') continue;
    const [name = '', value = ''] = preference.split('=', 2);
    const known =
      name === 'max-affected' ? /^\d{1,9}$/.test(value) : KNOWN[name]?.includes(value) === true;
    if (!known) invalid.push(preference);
    else if (!found.has(name)) found.set(name, value);
  }
  const strict = found.get('handling') === 'strict';
  if (strict && invalid.length > 0) {
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${invalid.join(', ')}`,
    });
  }
  const get = <T>(name: string) => (found.get(name) ?? null) as T;
  const limit = strict ? found.get('max-affected') : undefined;
  return {
    count: get('count'),
    return: get('return'),
    resolution: get('resolution'),
    missing: get('missing'),
    handling: get('handling'),
    maxAffected: limit === undefined ? null : Number(limit),
    applied: [...Object.keys(KNOWN), ...(strict ? ['max-affected'] : [])].flatMap((name) => {
      const value = found.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  };
}

export interface Format {
  type: 'array' | 'object' | 'csv';
  stripNulls: boolean;
  contentType: string;
}

const FORMATS: Record<string, Format['type']> = {
  '*/*': 'array',
  'application/*': 'array',
  'application/json': 'array',
  'application/vnd.pgrst.array+json': 'array',
  'application/vnd.pgrst.array': 'array',
  'application/vnd.pgrst.object+json': 'object',
  'application/vnd.pgrst.object': 'object',
  'text/csv': 'csv',
  'text/*': 'csv',
};

/** Returns the first supported format in `Accept`. @throws PGRST107 */
export function readAccept(header: string | null): Format {
  const accepted = header === null || header.trim() === '' ? '*/*' : header;
  for (const range of accepted.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
    if (format === undefined) continue;
    const stripNulls = type.includes('pgrst') && parameters.includes('nulls=stripped');
    let contentType = 'application/json';
    if (format === 'csv') contentType = 'text/csv';
    else if (format === 'object' || stripNulls)
      contentType = `application/vnd.pgrst.${format}+json${stripNulls ? ';nulls=stripped' : ''}`;
    return { type: format, stripNulls, contentType: `${contentType}; charset=utf-8` };
  }
  throw new RestError(
    406,
    'PGRST107',
    `None of these media types are available: ${accepted.slice(0, 200)}`,
  );
}

/** Parses `Range: 0-9` into offset and limit; null if the header is missing or invalid. @throws PGRST103 */
export function readRange(header: string | null): { offset: number; limit: number | null } | null {
  const found = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!found) return null;
  const offset = Number(found[1]);
  if (found[2] === '' || found[2] === undefined) return { offset, limit: null };
  const last = Number(found[2]);
  if (last < offset) {
    throw badRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  return { offset, limit: last - offset + 1 };
}
