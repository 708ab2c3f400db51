// What every service is made from: main.ts makes the parts once and hands them to each.
import type { Database } from '#/host/db/database.ts';
import type { Log } from '#/host/lib/log.ts';
import type { Settings } from '#/host/lib/settings.ts';
import type { Tokens } from '#/host/lib/tokens.ts';

export interface HostParts {
  settings: Settings;
  database: Database;
  tokens: Tokens;
  log: Log;
  /** The address that links in mails, redirects and previews start with; no slash at its end. */
  siteUrl: string;
}
