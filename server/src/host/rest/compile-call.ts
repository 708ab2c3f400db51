// Compiles a function call to a FROM item, with arguments from the JSON body or the URL.
import { badBody } from '#/host/rest/errors.ts';
import type { Payload } from '#/host/rest/payload.ts';
import type { Routine } from '#/host/rest/routines.ts';
import { arrayLiteral, quote, type Parameters } from '#/host/rest/sql-text.ts';

/** The source of the arguments: members of the body, the whole body for a single unnamed parameter, or query parameters. */
export type CallArguments =
  | { type: 'body'; payload: Payload }
  | { type: 'whole'; text: string }
  | { type: 'url'; pairs: [name: string, value: string][] };

function urlArguments(routine: Routine, pairs: [string, string][], parameters: Parameters): string {
  const names = new Set(pairs.map(([name]) => name));
  return routine.parameters
    .filter(({ name }) => names.has(name))
    .map(({ name, type, variadic }) => {
      const values = pairs.filter(([given]) => given === name).map(([, value]) => value);
      const value =
        variadic && !values[0]?.startsWith('{') ? arrayLiteral(values) : (values.at(-1) ?? '');
      return `${variadic ? 'variadic ' : ''}${quote(name)} := ${parameters.add(value)}::${type}`;
    })
    .join(', ');
}

/**
 * Returns the SELECT of the function's whole result. A scalar is in a column `value`.
 * @throws PGRST102
 */
export function callSql(routine: Routine, given: CallArguments, parameters: Parameters): string {
  const call = (list: string) => `${routine.sql}(${list}) as f${routine.result ? '' : '(value)'}`;
  if (given.type === 'url')
    return `select f.* from ${call(urlArguments(routine, given.pairs, parameters))}`;
  if (given.type === 'whole') {
    const type = routine.wholeBody ?? 'text';
    const value = parameters.add(given.text);
    // A cast to bytea would interpret backslashes, so the bytes are converted from text.
    const body = type === 'bytea' ? `convert_to(${value}, 'UTF8')` : `${value}::${type}`;
    return `select f.* from ${call(body)}`;
  }
  const { payload } = given;
  if (!payload.isObject || payload.isArray) throw badBody('The arguments must be a JSON object');
  const used = routine.parameters.filter(({ name }) => payload.keys.includes(name));
  if (used.length === 0) return `select f.* from ${call('')}`;
  const columns = used.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');
  const list = used.map(
    ({ name, variadic }) => `${variadic ? 'variadic ' : ''}${quote(name)} := b.${quote(name)}`,
  );
  return `select f.* from json_to_record(${parameters.add(payload.text)}::json) as b(${columns}), lateral ${call(list.join(', '))}`;
}
