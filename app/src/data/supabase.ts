// The official client, downloaded only when it is needed: the home map renders without it.
import type { SupabaseClient } from '@supabase/supabase-js';
import { getConfig } from '#/platform/config.ts';
import { AppError } from '#/core/app-error.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { nativePlatform } from '#/platform/native.ts';
import { isOnline } from '#/platform/online.ts';
// Reads the URL before the client exists.
import '#/platform/opened-url.ts';
import type { Database } from '../../../shared/database.types.ts';

export type Supabase = SupabaseClient<Database>;

let client: Promise<Supabase> | null = null;

async function make(): Promise<Supabase> {
  const [{ createClient }, { fetchWithRefresh, refreshToken }, native] = await Promise.all([
    import('@supabase/supabase-js'),
    import('#/data/fetch-with-refresh.ts'),
    nativePlatform() ? import('#/platform/native-session-storage.ts') : null,
  ]);
  const { supabaseUrl, anonKey } = getConfig();
  const made: Supabase = createClient<Database>(supabaseUrl, anonKey, {
    auth: {
      storageKey: SESSION_KEY,
      flowType: 'pkce',
      // Native apps receive links as events and validate each of them, so the client must not look for a session in the URL.
      ...(native && { storage: native.deviceStorage, detectSessionInUrl: false }),
    },
    realtime: { params: { eventsPerSecond: 10 } },
    global: { fetch: fetchWithRefresh((owner) => refreshToken(made, owner)) },
  });
  return made;
}

/** Loads the client even when offline, for operations on this device. For requests use `supabase`. */
export function loadClient(): Promise<Supabase> {
  client ??= make().catch((error: unknown) => {
    // A failed download may succeed the next time.
    client = null;
    throw error;
  });
  return client;
}

/** @throws {AppError} 503 immediately when offline, because the client would retry for half a minute */
export const supabase = (): Promise<Supabase> =>
  isOnline() ? loadClient() : Promise.reject(new AppError('errors.offline', 503));
