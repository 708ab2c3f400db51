// Reports unexpected errors to the host, with name and app version but without messages or user data. Each name is reported once
// per visit.
import { failureOf, toAppError } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** The build defines this in vite.config.ts. */
const VERSION = String(import.meta.env.PACKPARK_VERSION);

const reported = new Set<string>();

/**
 * Does nothing if the error has its own message, the network is unavailable, or the host responded, because the host logs
 * rejections.
 */
export function reportError(error: unknown): void {
  const { key, cause } = toAppError(error);
  if (key !== 'errors.unexpected' || failureOf(cause).status !== undefined) return;
  const type = error instanceof Error ? error.name : 'Unknown';
  if (reported.has(type)) return;
  reported.add(type);
  void supabase()
    .then((client) => client.rpc('report_app_error', { p_type: type, p_version: VERSION }))
    .catch(() => undefined);
}

export function watchErrors(): void {
  addEventListener('error', ({ error }) => reportError(error));
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}
