// Queues of phones whose app is older than 0.2: read until version 0.4, and then this file goes.
import type { MessageKey } from '#/i18n/i18n.ts';
import type { QueuedCommand } from '#/offline/command-queue/pending.ts';

/** What lies under their key. */
export interface OldEntry {
  id: string;
  userId: string;
  deed: string;
  /** As the database's function takes them, such as p_park_id. */
  args: Record<string, unknown>;
  queuedAt: number;
  refused: string | null;
}

/** Reasons for a refusal whose text has another key now. */
const RENAMED_REASONS: Readonly<Record<string, MessageKey>> = {
  'outbox.elsewhere': 'pendingCommands.elsewhere',
  'outbox.overtaken': 'errors.review_changed',
  'outbox.photoLost': 'pendingCommands.photoLost',
  'outbox.termsMissing': 'errors.terms_required',
  'outbox.tooLate': 'pendingCommands.tooLate',
  'errors.accessDenied': 'errors.access_denied',
  'errors.dogAteTheCode': 'errors.unexpected',
  'errors.imageTooLarge': 'errors.image_too_large',
  'errors.tooManyAttempts': 'errors.too_many',
  'parks.error.notFound': 'errors.park_not_found',
  'auth.error.secondFactorNeeded': 'errors.second_factor_required',
};

/** p_park_id → parkId, which is how the commands name what they take. */
const renamed = (argument: string) =>
  argument.replace(/^p_/, '').replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** The same command with the same key, so that it is done once whoever sends it. */
export const convertOldEntry = ({
  id,
  userId,
  deed,
  args,
  queuedAt,
  refused,
}: OldEntry): QueuedCommand => ({
  id,
  userId,
  command: deed,
  input: Object.fromEntries(Object.entries(args).map(([key, value]) => [renamed(key), value])),
  hasFile: deed.endsWith('_photo'),
  queuedAt,
  refused: refused && (RENAMED_REASONS[refused] ?? refused),
});
