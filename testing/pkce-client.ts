// The official client as the app creates it, with the PKCE flow and a store for its verifier.
import { createClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import type { TestHost } from './test-host.ts';

/** A client that acts like one browser: only it can finish a flow that it started. */
export function pkceClient(host: TestHost) {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  return createClient(host.url, host.tokens.anonKey, {
    auth: { flowType: 'pkce', storage, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
  });
}
