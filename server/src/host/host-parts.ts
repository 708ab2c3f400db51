// The dependencies that main.ts creates once and passes to each service.
import type { Database } from '#/host/db/database.ts';
import type { Jobs } from '#/host/jobs/job-queue.ts';
import type { Languages } from '#/host/lib/languages.ts';
import type { Log } from '#/host/lib/log.ts';
import type { Settings } from '#/host/lib/host-settings.ts';
import type { Tokens } from '#/host/lib/tokens.ts';

export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'invite'
  | 'email_change'
  | 'reauthentication';

/** Texts of the mail about changed credentials, and of the page that its link opens. */
type ChangeTexts = Record<
  'subject' | 'changed' | 'notMe' | 'title' | 'button' | 'done' | 'expired',
  string
>;

export interface Product {
  /** The product's name in mails and pages. */
  name: string;
  /** URLs that open the native app, each with only a scheme and a host. Links may redirect only to exactly these. */
  appLinks: readonly string[];
  /** The languages of mails. The first one is the fallback. */
  languages: Languages;
  /** Returns a mail in one language. Its page contains GoTrue's placeholders, such as `{{ .Token }}`. */
  mail(kind: MailKind, language: string): { subject: string; html: string };
  /** Title and button of the page that the link of a mail opens. */
  linkPage(kind: MailKind, language: string): { title: string; button: string };
  accountChange(language: string): ChangeTexts;
  directionOf(language: string): 'ltr' | 'rtl';
}

export interface HostParts {
  product: Product;
  settings: Settings;
  database: Database;
  tokens: Tokens;
  jobs: Jobs;
  log: Log;
  /** The base URL of links in mails, redirects and link previews, without a trailing slash. */
  siteUrl: string;
}
