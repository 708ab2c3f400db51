// Sends mails of the moderation desk: pending items to moderators, sanctions and outcomes to users, alarms to administrators, and
// hazards to towns. The database creates the texts.
import type { Database } from '#/host/db/database.ts';
import type { Mailer } from '#/host/auth/mailer.ts';
import type { Job } from '#/host/jobs/job-queue.ts';

interface DeskMailParts {
  database: Pick<Database, 'pool'>;
  mailer: Pick<Mailer, 'write'>;
  /** The origin of the links in mails. */
  siteUrl: string;
  /** Email address for appeals; null if there is none. */
  contact: string | null;
}

interface DeskMail {
  user_id: string;
  sanction_id?: string;
  /**
   * Set for a mail to a town, which is about the hazard `report_id` or contains the code that confirms the town's email address.
   */
  town_id?: number;
  report_id?: string;
  /** The topic of an alarm for administrators. */
  about?: string;
  /** A timestamp (ISO 8601). The mail lists all decisions since then. */
  decided_since?: string;
}

/** Returns the SQL query, with its parameters, that creates a mail's texts. */
function questionOf(mail: DeskMail, contact: string | null): [text: string, values: unknown[]] {
  const { user_id, town_id, report_id, about } = mail;
  if (town_id !== undefined && report_id !== undefined)
    return ['select * from private.town_mail($1, $2)', [town_id, report_id]];
  if (town_id !== undefined) return ['select * from private.town_code_mail($1)', [town_id]];
  if (about !== undefined) return ['select * from private.operator_mail($1, $2)', [user_id, about]];
  const values = [user_id, mail.sanction_id, contact, mail.decided_since];
  return ['select * from private.desk_mail($1, $2, $3, $4)', values];
}

/**
 * Sends one queued mail. Its texts are created now, so they are current.
 * @throws JobError if the mail server rejects it
 */
export async function sendDeskMail(parts: DeskMailParts, { payload }: Job): Promise<void> {
  const { rows } = await parts.database.pool.query<{
    email: string;
    language: string;
    subject: string;
    lines: string[];
    path: string | null;
  }>(...questionOf(payload as DeskMail, parts.contact));
  const { about } = payload as DeskMail;
  for (const { email, path, ...mail } of rows) {
    // The only moderator published their own lost-dog card. The mail goes to the contact address of the site, so that others learn of it.
    const to = about === 'own_card' ? (parts.contact ?? email) : email;
    await parts.mailer.write({ ...mail, to, link: path && `${parts.siteUrl}${path}` });
  }
}
