// Handles the joining of a topic: validates the requested subscriptions against the role's privileges.
import * as v from 'valibot';
import type { Filter } from '#/host/filters/ast.ts';
import { isMatchable } from '#/host/filters/match.ts';
import { parseConditions } from '#/host/filters/parse.ts';
import { ParseError } from '#/host/filters/scanner.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import type { Access } from '#/host/realtime/access.ts';
import type { Subscription } from '#/host/realtime/subscriptions.ts';

/** The maximum length is that of names in PostgreSQL. */
const name = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(63))));
const changeConfig = v.object({
  event: v.pipe(
    v.string(),
    v.check((event) => ['INSERT', 'UPDATE', 'DELETE', '*'].includes(event.toUpperCase())),
  ),
  schema: name,
  table: name,
  filter: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4096)))),
});

export const joinSchema = v.object({
  access_token: v.optional(v.nullable(v.string())),
  config: v.optional(
    v.object({
      postgres_changes: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(100)), []),
      presence: v.optional(v.looseObject({ enabled: v.optional(v.boolean()) })),
      private: v.optional(v.nullable(v.boolean())),
    }),
    {},
  ),
});

/** One entry of `postgres_changes`: a requested subscription and its ID. An invalid entry has only the ID. */
export type Binding = { id: number } & Partial<v.InferOutput<typeof changeConfig>>;

export function parseBinding(id: number, entry: unknown): Binding {
  const { success, output } = v.safeParse(changeConfig, entry);
  return success ? { id, ...output } : { id };
}

type Accepted = Omit<Subscription, 'channel'>;

const MAX_IN_VALUES = 100;

/**
 * Parses the filters of a binding; an empty text has no filters. Returns null if they are invalid or cannot be evaluated by
 * realtime.
 */
function readFilters(text: string): Filter[] | null {
  if (text === '') return [];
  try {
    const filters = parseConditions(text);
    const fits = ({ test }: Filter) => (test.oneOf?.length ?? 0) <= MAX_IN_VALUES;
    return filters.every((filter) => isMatchable(filter) && fits(filter)) ? filters : null;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return null;
  }
}

/** Returns the subscription for one binding, or an error message. */
async function resolveBinding(
  access: Access,
  claims: Claims,
  binding: Binding,
): Promise<Accepted | string> {
  const { id } = binding;
  if (binding.event === undefined)
    return 'Unable to subscribe to changes: the configuration is not understood';
  const event = binding.event.toUpperCase() as Accepted['event'];
  const schema = binding.schema ?? 'public';
  const table = binding.table ?? '*';
  const filters = readFilters(binding.filter ?? '');
  const rejection = `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: ${event}, schema: ${schema}, table: ${table}, filters: ${binding.filter ?? ''}]`;
  if (!filters) return rejection;
  if (table === '*')
    return access.hasSchema(schema) && filters.length === 0
      ? { id, event, schema, table, filters }
      : rejection;
  const found = await access.table(schema, table);
  const readable = new Set(found?.columns[claims.role].map(({ name }) => name));
  // A filter on a hidden column would reveal its value.
  if (readable.size === 0 || filters.some(({ field }) => !readable.has(field.name)))
    return rejection;
  return { id, event, schema, table, filters };
}

/** Returns the subscriptions for all bindings of a join, and the first error message if there is one. */
export async function resolveBindings(
  access: Access,
  claims: Claims,
  bindings: Binding[],
): Promise<{ accepted: Accepted[]; rejection: string | null }> {
  const results = await Promise.all(
    bindings.map((binding) => resolveBinding(access, claims, binding)),
  );
  return {
    accepted: results.filter((result) => typeof result !== 'string'),
    rejection: results.find((result) => typeof result === 'string') ?? null,
  };
}
