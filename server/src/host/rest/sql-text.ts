// Writing SQL: quoted names from the schema cache, and values as parameters.

import { RestError } from '#/host/rest/errors.ts';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Bind messages count parameters in 16 bits; no official client comes near. */
const MAX_PARAMETERS = 30_000;

/** Collects a statement's values. Their types are left to PostgreSQL, as those of quoted literals are. */
export class Parameters {
  readonly values: (string | null)[] = [];

  /** @returns the placeholder, such as `$3` */
  add(value: string | null): string {
    if (this.values.length >= MAX_PARAMETERS)
      throw new RestError(400, 'PGRST100', 'The request has too many values');
    return `$${this.values.push(value)}`;
  }

  /** @returns the placeholder of the array */
  addArray(values: readonly string[]): string {
    return this.add(arrayLiteral(values));
  }
}

export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
