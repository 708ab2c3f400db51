// Joining a topic: checks who asks and what for, and answers as the platform does.
import * as v from 'valibot';
import type { Claims } from '#/host/lib/tokens.ts';
import type { Access } from '#/host/realtime/access.ts';
import { parseFilter } from '#/host/realtime/filters.ts';
import type { Subscription } from '#/host/realtime/subscriptions.ts';

/** PostgreSQL's own names are no longer. */
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

/**
 * What a client asked to listen to, in its own words, and the number it was given for that. Nothing else that it said is
 * kept, and of a wish that is not understood only the number.
 */
export type Wish = { id: number } & Partial<v.InferOutput<typeof changeConfig>>;

/** Reads one entry of `postgres_changes`. */
export function toWish(id: number, said: unknown): Wish {
  const { success, output } = v.safeParse(changeConfig, said);
  return success ? { id, ...output } : { id };
}

type Wanted = Omit<Subscription, 'channel'>;

/** What one wish comes to, or a sentence that says why it cannot be had. */
async function readWish(access: Access, claims: Claims, wish: Wish): Promise<Wanted | string> {
  const { id } = wish;
  if (wish.event === undefined)
    return 'Unable to subscribe to changes: the configuration is not understood';
  const event = wish.event.toUpperCase() as Wanted['event'];
  const schema = wish.schema ?? 'public';
  const table = wish.table ?? '*';
  const conditions = parseFilter(wish.filter ?? undefined);
  const sorry = `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: ${event}, schema: ${schema}, table: ${table}, filters: ${wish.filter ?? ''}]`;
  if (!conditions) return sorry;
  if (table === '*')
    return access.hasSchema(schema) && conditions.length === 0
      ? { id, event, schema, table, conditions }
      : sorry;
  const found = await access.table(schema, table);
  const readable = new Set(found?.columns[claims.role].map(({ name }) => name));
  // A filter on a hidden column would tell its value.
  if (readable.size === 0 || conditions.some(({ column }) => !readable.has(column))) return sorry;
  return { id, event, schema, table, conditions };
}

/** All wishes of a join: what is wanted, and why something was refused, if anything was. */
export async function readWishes(
  access: Access,
  claims: Claims,
  wishes: Wish[],
): Promise<{ wanted: Wanted[]; refused: string | null }> {
  const answers = await Promise.all(wishes.map((wish) => readWish(access, claims, wish)));
  return {
    wanted: answers.filter((answer) => typeof answer !== 'string'),
    refused: answers.find((answer) => typeof answer === 'string') ?? null,
  };
}
