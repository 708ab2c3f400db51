// Compares what two backends answered to one scenario: their shapes, statuses, codes and messages, not what differs in each run.

import type { ScenarioRun } from './client-scenario.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** The zone stays: whether a time ends in Z or in +00:00 is a difference. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?/g;
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** Numbers under these names are compared; all others only in being numbers. */
const COMPARED_NUMBERS = new Set(['status', 'statusCode', 'code', 'count']);
/** Texts under these names are new in each run. */
const SECRETS = new Set(['refresh_token', 'access_token', 'eTag', 'etag', 'version', 'request_id']);

/** The text of `value` without ids, times, tokens and the words of this run. */
function withoutRun(value: string, words: Record<string, string>) {
  let text = value;
  for (const [word, name] of Object.entries(words)) text = text.replaceAll(word, name);
  return text
    .replace(TOKEN, '<token>')
    .replace(TIME, (_, zone?: string) => `<time ${zone ?? 'without zone'}>`)
    .replace(UUID, '<id>');
}

/**
 * A result as it is compared: ids, times and tokens become names for their kind, numbers that are no statuses `<number>`.
 * @param words what else of the run to replace: word → name
 * @param content true where operators entered the texts: then only their being texts counts
 */
function normalise(
  value: unknown,
  words: Record<string, string> = {},
  content = false,
  key = '',
): unknown {
  if (typeof value === 'string') {
    if (SECRETS.has(key)) return '<token>';
    const text = withoutRun(value, words);
    return content && !/^<.*>$/.test(text) ? '<text>' : text;
  }
  if (typeof value === 'number')
    return COMPARED_NUMBERS.has(key) && !content ? value : key === 'status' ? value : '<number>';
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item, words, content));
    return content ? items.slice(0, 1) : items;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => [name, normalise(item, words, content, name)]),
    );
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Where two normalised values differ; undefined stands for what is not there. */
function differences(
  ours: unknown,
  theirs: unknown,
  { content = false, path = '' } = {},
): { path: string; ours: unknown; theirs: unknown }[] {
  const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;
  const bothLists = Array.isArray(ours) && Array.isArray(theirs);
  if (content && bothLists && (isEmpty(ours) || isEmpty(theirs))) return [];
  if (!isObject(ours) || !isObject(theirs) || Array.isArray(ours) !== Array.isArray(theirs))
    return Object.is(ours, theirs) ? [] : [{ path, ours, theirs }];
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...names].flatMap((name) =>
    differences(ours[name], theirs[name], {
      content,
      path: path === '' ? name : `${path}.${name}`,
    }),
  );
}

/**
 * Two runs of a scenario (see client-scenario.ts), step by step.
 * @returns lines to print, one for each difference; none when both answered alike
 */
export function compareRuns(ours: ScenarioRun, theirs: ScenarioRun): string[] {
  return ours.results.flatMap(({ step, content, result }, index) =>
    differences(
      normalise(result, ours.words, content),
      normalise(theirs.results[index]?.result, theirs.words, content),
      { content },
    ).map(
      ({ path, ours: here, theirs: there }) =>
        `${step}: ${path || 'result'}: host ${JSON.stringify(here) ?? 'nothing'}, there ${JSON.stringify(there) ?? 'nothing'}`,
    ),
  );
}
