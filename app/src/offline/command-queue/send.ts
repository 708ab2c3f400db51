// Sends one entry of the queue: says whether it is done, has to wait, or was refused and why.
import type { MessageKey } from '#/i18n/i18n.ts';
import { type AppError, type CodeTexts, isUnanswered, toAppError } from '#/i18n/errors.ts';
import type { PhotoBucket } from '#/data/photos/photo-url.ts';
import {
  ELSEWHERE,
  notRefused,
  OVERTAKEN,
  TOO_LATE,
  trueNow,
} from '#/offline/command-queue/rules.ts';
import type { OutboxEntry } from '#/offline/command-queue/state.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';

/** 'later': no network, no valid session yet, or a server that is busy; 'fault': one that stumbled over it. */
export type Outcome = 'done' | 'later' | 'fault' | MessageKey;

const TEXTS: CodeTexts = {
  terms_required: 'outbox.termsMissing',
  age_required: 'outbox.termsMissing',
  review_changed: OVERTAKEN,
  park_not_found: 'parks.error.notFound',
  '23503': 'parks.error.notFound',
};

interface Answer {
  data: unknown;
  error: { code?: string; message?: string } | null;
  status: number;
}

interface Sendable {
  setHeader(name: string, value: string): this;
}

/** The request as the one whose deed it is, whoever else may be logged in when it goes. */
type Theirs = <Request extends Sendable>(request: Request) => Request;

/** @param bytes what a photo is made of */
export async function sendEntry(entry: OutboxEntry, bytes: Blob | undefined): Promise<Outcome> {
  const args = trueNow(entry, Date.now());
  if (!args) return TOO_LATE;
  try {
    const client = await supabase();
    const { session } = (await client.auth.getSession()).data;
    // Without a session the request would go out as a visitor's, and be refused.
    if (session?.user.id !== entry.userId) return 'later';
    // The client would ask for the session again, and another tab may have logged somebody else in by then.
    const theirs: Theirs = (request) =>
      request.setHeader('authorization', `Bearer ${session.access_token}`);
    switch (entry.deed) {
      case 'set_favourite':
        return verdict(await theirs(favourite(client, args)));
      case 'accept_terms':
        return verdict(await acceptTerms(client, args, theirs));
      case 'dog_photo':
      case 'park_photo':
        return bytes ? await sendPhoto(client, entry.userId, args, bytes) : 'outbox.photoLost';
      default:
        return verdict(await theirs(client.rpc(entry.deed, args as never)));
    }
  } catch (error) {
    console.warn('The queue is sent later:', error);
    return 'later';
  }
}

function verdict({ data, error, status }: Answer): Outcome {
  if (!error)
    return (data as { status?: string } | null)?.status === 'elsewhere' ? ELSEWHERE : 'done';
  const failure = { ...error, status };
  return outcomeOf(toAppError(failure, TEXTS), status);
}

const outcomeOf = (error: AppError, status = error.status): Outcome =>
  isUnanswered(error) ? 'later' : (notRefused(status) ?? error.key);

/** Doing it twice changes nothing, so that it needs no key. */
function favourite(client: Supabase, args: Record<string, unknown>) {
  const table = client.from('favourite_parks');
  const park_id = Number(args.park_id);
  return args.favourite
    ? table.upsert({ park_id }, { onConflict: 'user_id,park_id', ignoreDuplicates: true })
    : table.delete().eq('park_id', park_id);
}

async function acceptTerms(
  client: Supabase,
  args: Record<string, unknown>,
  theirs: Theirs,
): Promise<Answer> {
  const confirmed: Answer | null = args.confirm_age
    ? await theirs(client.rpc('confirm_age'))
    : null;
  return confirmed?.error ? confirmed : theirs(client.rpc('accept_terms'));
}

async function sendPhoto(
  client: Supabase,
  giver: string,
  args: Record<string, unknown>,
  bytes: Blob,
): Promise<Outcome> {
  const { bucket, path, alone } = args as { bucket: PhotoBucket; path: string; alone: boolean };
  const { uploadImage } = await import('#/data/photos/upload-image.ts');
  try {
    await uploadImage({ bucket, path, blob: bytes, giver });
  } catch (error) {
    return outcomeOf(toAppError(error, TEXTS));
  }
  if (alone) await leaveAlone(client, bucket, path);
  return 'done';
}

/** Removes the other files of its folder: a primary photo is the only one. */
async function leaveAlone(client: Supabase, bucket: PhotoBucket, path: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const files = client.storage.from(bucket);
  const { data } = await files.list(folder, { limit: 100 });
  const others = (data ?? [])
    .filter((entry) => entry.id !== null)
    .map((entry) => `${folder}/${entry.name}`)
    .filter((other) => other !== path);
  if (others.length > 0) await files.remove(others);
}
