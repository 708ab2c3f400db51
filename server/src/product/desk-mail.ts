// The mails of the desk: to moderators, that something waits; to people, that a sanction was taken, or what became of what they
// gave or reported; to administrators, of the site; to towns, of hazards. The database writes the texts.
import type { Database } from '#/host/db/database.ts';
import type { Mailer } from '#/host/auth/mailer.ts';
import type { Job } from '#/host/jobs/job-queue.ts';

interface DeskMailParts {
  database: Pick<Database, 'pool'>;
  mailer: Pick<Mailer, 'write'>;
  /** The address that links in mails start with. */
  siteUrl: string;
  /** Where people appeal; null where there is none. */
  contact: string | null;
}

/** The payload of a job of the kind desk-mail; its key begins with what it is about and ends with an id. */
interface DeskMail {
  user_id: string;
  sanction_id?: string;
  /** A town is told of a hazard, or without one a code that confirms its address. */
  town_id?: number;
  report_id?: string;
  /** What administrators are told of the site. */
  about?: string;
  /** ISO 8601: the mail tells of all decisions from here on. */
  decided_since?: string;
}

/** What the database is asked for the texts of a mail. */
function questionOf(mail: DeskMail, contact: string | null): [text: string, values: unknown[]] {
  const { user_id, town_id, report_id, about } = mail;
  if (town_id !== undefined && report_id !== undefined)
    return ['select * from private.town_mail($1, $2)', [town_id, report_id]];
  if (town_id !== undefined) return ['select * from private.town_code_mail($1)', [town_id]];
  if (about !== undefined) return ['select * from private.operator_mail($1, $2)', [user_id, about]];
  const values = [user_id, mail.sanction_id, contact, mail.decided_since];
  return ['select * from private.desk_mail($1, $2, $3, $4)', values];
}

/** Sends one mail of the queue, with what is true by now. Throws JobError where the mail server did not take it. */
export async function sendDeskMail(parts: DeskMailParts, { payload }: Job): Promise<void> {
  const { rows } = await parts.database.pool.query<{
    email: string;
    language: string;
    subject: string;
    lines: string[];
    path: string | null;
  }>(...questionOf(payload as DeskMail, parts.contact));
  for (const { email, path, ...mail } of rows)
    await parts.mailer.write({ ...mail, to: email, link: path && `${parts.siteUrl}${path}` });
}
