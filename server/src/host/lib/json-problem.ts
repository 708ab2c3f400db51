// What JSON from a client must not have, because code and PostgreSQL behind it fail on it.

/** Deeper than anything that people or the clients send; what walks a value by recursion manages it easily. */
const MAX_JSON_DEPTH = 30;

const LONE_SURROGATE = /\p{Cs}/u;

/** A sentence about what is wrong with a parsed value: nesting or text that is not Unicode; null for a good one. */
export function jsonProblem(value: unknown, depth = 0): string | null {
  if (typeof value === 'string')
    return LONE_SURROGATE.test(value) ? 'The JSON has text that is not Unicode' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_JSON_DEPTH) return `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels`;
  for (const [key, member] of Object.entries(value)) {
    const problem = jsonProblem(key) ?? jsonProblem(member, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
