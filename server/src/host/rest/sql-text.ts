// Helpers for SQL text: quoted names from the schema cache, and values as parameters.

import { RestError } from '#/host/rest/errors.ts';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Bind messages count parameters in 16 bits. No request of an official client comes near this limit. */
const MAX_PARAMETERS = 30_000;

/** Collects a statement's values. PostgreSQL infers their types, as it does for quoted literals. */
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
