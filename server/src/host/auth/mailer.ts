// Sends mails by SMTP, or into a local inbox if no SMTP server is configured. The product provides the texts of login mails.
import { JobError } from '#/host/jobs/job-queue.ts';
import { ENTITIES, escapeHtml } from '#/host/lib/html.ts';
import type { HostParts, MailKind } from '#/host/host-parts.ts';

interface Mail {
  kind: MailKind;
  to: string;
  language: string;
  /** The names are GoTrue's placeholders. */
  values: { ConfirmationURL: string; Token: string; Email: string; NewEmail: string };
}

interface PlainMail {
  to: string;
  language: string;
  subject: string;
  lines: string[];
  link: string | null;
}

/** Prefix of errors that concern the whole mail server instead of a single mail. private.mail_is_late searches for it. */
export const SERVER_UNUSABLE = 'The mail server cannot be used';

/** If the mail server is slower than these timeouts, the mail is retried later. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** The rejected part of the mail, by SMTP command. Many servers check the recipient only after the data. */
const REJECTED_BY_COMMAND: Record<string, string> = {
  'RCPT TO': 'the recipient',
  DATA: 'the mail',
};
/** With this status, a server may close the connection after any command (RFC 5321, 3.8). */
const SHUTS_DOWN = 421;

/**
 * Throws a description of an SMTP error without the server's text, which quotes email addresses. If only the recipient or the mail
 * is rejected, the mail server still counts as usable, because an attacker can choose such a recipient.
 * @throws JobError
 */
function reject(error: unknown): never {
  const { code, responseCode, command } = error as {
    code?: string;
    responseCode?: number;
    command?: string;
  };
  const reason = [code, responseCode].filter((part) => part !== undefined).join(' ');
  const rejected = REJECTED_BY_COMMAND[command ?? ''];
  if (rejected === undefined || responseCode === undefined || responseCode === SHUTS_DOWN)
    throw new JobError(`${SERVER_UNUSABLE} (${reason})`, { cause: error });
  throw new JobError(`The mail server rejects ${rejected} (${reason})`, {
    // Only a rejected recipient is final. A rejection after the data may have a temporary reason, such as an exceeded daily limit
    // of the site.
    final: command === 'RCPT TO' && responseCode >= 500,
    cause: error,
  });
}

const MAX_LOCAL_MAILS = 200;

/** Converts the HTML of our own mails to plain text: paragraphs as lines, links with their URL. */
function plainText(html: string): string {
  const signs = Object.fromEntries(
    Object.entries(ENTITIES).map(([sign, entity]) => [entity, sign]),
  );
  return html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2:\n$1')
    .replace(/<\/(p|h1)>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => signs[entity] ?? '')
    .replace(/^[^\S\n]+|[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Creates the SMTP transport. The library is loaded only if a mail server is configured. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...TIMEOUTS });
}

interface MailerParts extends Pick<HostParts, 'settings' | 'product' | 'siteUrl'> {
  /** Not used if SMTP_URL is set. */
  database?: HostParts['database'];
}

/** Creates a mailer that uses SMTP_URL, or stores mails in the table auth.local_mails if it is not set. */
export async function createMailer(parts: MailerParts) {
  const { SMTP_URL, MAIL_FROM } = parts.settings;
  const transport = SMTP_URL === undefined ? null : await openTransport(SMTP_URL);

  async function hand(to: string, subject: string, html: string): Promise<void> {
    const plain = plainText(html);
    if (transport) {
      const from =
        MAIL_FROM ?? `${parts.product.name} <no-reply@${new URL(parts.siteUrl).hostname}>`;
      await transport.sendMail({ from, to, subject, html, text: plain }).catch(reject);
      return;
    }
    await parts.database?.pool.query(
      `with written as (insert into auth.local_mails (recipient, subject, html, plain) values ($1, $2, $3, $4) returning id)
       delete from auth.local_mails using written where local_mails.id <= written.id - $5`,
      [to, subject, html, plain, MAX_LOCAL_MAILS],
    );
  }

  return {
    write({ to, language, subject, lines, link }: PlainMail): Promise<void> {
      // With `dir="auto"` each paragraph gets its own direction.
      const body = [
        ...lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`),
        ...(link === null
          ? []
          : [
              `<p dir="auto"><a href="${escapeHtml(link)}">${escapeHtml(parts.product.name)}</a></p>`,
            ]),
      ];
      return hand(
        to,
        subject,
        `<!doctype html><html lang="${escapeHtml(language)}"><head><title>${escapeHtml(subject)}</title></head><body style="font:16px/1.5 sans-serif">${body.join('')}</body></html>`,
      );
    },
    send({ kind, to, language, values }: Mail): Promise<void> {
      const { subject, html } = parts.product.mail(kind, language);
      const all: Record<string, string> = values;
      const fill = (_all: string, name: string) => escapeHtml(all[name] ?? '');
      return hand(to, subject, html.replace(/\{\{ \.(\w+) \}\}/g, fill));
    },
    /** @throws JobError if the mail server cannot be used */
    async check(): Promise<void> {
      await transport?.verify().catch(reject);
    },
    close: () => transport?.close(),
  };
}

export type Mailer = Awaited<ReturnType<typeof createMailer>>;
