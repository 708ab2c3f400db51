// Helpers for SQL text: quoted names from the schema cache, and values as parameters.

import { RestError } from '#/host/rest/errors.ts';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A Bind message has a 16-bit count of parameters. Requests of official clients have far fewer. */
const MAX_PARAMETERS = 30_000;

/** Collects the values of a statement. PostgreSQL infers their types, as for quoted literals. */
export class Parameters {
  readonly values: (string | null)[] = [];

  add(value: string | null): string {
    if (this.values.length >= MAX_PARAMETERS)
      throw new RestError(400, 'PGRST100', 'The request has too many values');
    return `$${this.values.push(value)}`;
  }

  addArray(values: readonly string[]): string {
    return this.add(arrayLiteral(values));
  }
}

export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
