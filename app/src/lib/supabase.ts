// The one official client, downloaded only when something needs it: the home map paints without it.
import type { SupabaseClient } from '@supabase/supabase-js';
import { getConfig } from '#/lib/config.ts';
import type { Database } from '../../../shared/database.types.ts';

export type Supabase = SupabaseClient<Database>;

/** Where the client keeps its session; its presence tells, without the client, that somebody may be logged in. */
export const SESSION_KEY = 'packpark-session';

let client: Promise<Supabase> | null = null;

export function supabase(): Promise<Supabase> {
  client ??= import('@supabase/supabase-js').then(
    ({ createClient }) => {
      const { supabaseUrl, anonKey } = getConfig();
      return createClient<Database>(supabaseUrl, anonKey, {
        auth: { storageKey: SESSION_KEY, flowType: 'pkce' },
        realtime: { params: { eventsPerSecond: 10 } },
      });
    },
    (error: unknown) => {
      // A chunk that could not be fetched once may be fetched the next time.
      client = null;
      throw error;
    },
  );
  return client;
}
