// Counts errors that nobody expected at the host, by kind and version of the app: no texts, no people, each kind once a visit.
import { toAppError } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** Set by the build (vite.config.ts). */
const VERSION = String(import.meta.env.PACKPARK_VERSION);

const reported = new Set<string>();

/** Nothing where the error has a text of its own, or the network is away. */
export function reportError(error: unknown): void {
  if (toAppError(error).key !== 'errors.unexpected') return;
  const kind = error instanceof Error ? error.name : 'Unknown';
  if (reported.has(kind)) return;
  reported.add(kind);
  void supabase()
    .then((client) => client.rpc('report_app_error', { p_kind: kind, p_version: VERSION }))
    .catch(() => undefined);
}

export function watchErrors(): void {
  addEventListener('error', ({ error }) => reportError(error));
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}
