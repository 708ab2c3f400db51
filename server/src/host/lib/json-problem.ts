// Parses JSON from clients, and rejects values that would cause errors in our code or in PostgreSQL.

/** More than any client needs, and few enough levels for recursive functions. */
const MAX_JSON_DEPTH = 30;

const LONE_SURROGATE = /\p{Cs}/u;

/** Thrown by parseJson for JSON that is nested too deeply. */
export class JsonDepthError extends Error {
  constructor() {
    super(`The JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/** Returns true if brackets outside of strings are nested too deeply. The text is not parsed. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/**
 * Parses JSON. The depth is checked first, because parsing a megabyte of brackets takes half a second.
 * @throws SyntaxError, JsonDepthError
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new JsonDepthError();
  return JSON.parse(text);
}

/** Returns a message about invalid Unicode in a parsed value; null if it is valid. */
export function jsonProblem(value: unknown): string | null {
  if (typeof value === 'string')
    return LONE_SURROGATE.test(value) ? 'The JSON has text that is not Unicode' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const problem = jsonProblem(key) ?? jsonProblem(member);
    if (problem !== null) return problem;
  }
  return null;
}
