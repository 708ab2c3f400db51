// What the app of commit 26f1ee5 stores on a device, in its exact format: phones that ran it open the newer app with this.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { picture } from './fixtures.ts';
import type { Person, Site } from './test.ts';

/** An entry of the old queue: database `packpark-outbox`, store `entries`, all of them as one array under the key `entries`. */
interface ReleasedQueueEntry {
  /** Also the idempotency key on the server. */
  id: string;
  userId: string;
  deed:
    | 'accept_terms'
    | 'check_in'
    | 'check_out'
    | 'confirm_condition'
    | 'dog_photo'
    | 'end_condition'
    | 'park_photo'
    | 'report_condition'
    | 'save_review'
    | 'send_friend_request'
    | 'set_favourite';
  args: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  /** A key of the text catalogue of that time, once the server refused. */
  refused: string | null;
}

/** A photo of the old queue: database `packpark-outbox-bytes`, store `bytes`, under the id of its entry. */
interface ReleasedPhoto {
  /** The bytes as Base64; on the device they are an ArrayBuffer. */
  base64: string;
  type: string;
}

interface ReleasedStorage {
  entries: ReleasedQueueEntry[];
  photos: Record<string, ReleasedPhoto>;
}

/** An entry as the old app made it: calls of the database carry the entry's id as their key. */
export function releasedEntry(
  person: Person,
  deed: ReleasedQueueEntry['deed'],
  args: Record<string, unknown>,
  more: Partial<ReleasedQueueEntry> = {},
): ReleasedQueueEntry {
  const id = randomUUID();
  const hasKey = !['accept_terms', 'dog_photo', 'park_photo', 'set_favourite'].includes(deed);
  return {
    id,
    userId: person.id,
    deed,
    args: hasKey ? { ...args, p_key: id } : args,
    queuedAt: Date.now() - 60_000,
    refused: null,
    ...more,
  };
}

interface Subjects {
  parkId: number;
  dogId: string;
  /** A report of somebody else that the person confirms, and one that they call over. */
  reportIds: { confirmed: string; over: string };
  /** Who is asked for their friendship. */
  friendId: string;
}

/** One entry of every kind, in an order in which one person may have done them. */
export async function everyReleasedEntry(
  person: Person,
  { parkId, dogId, reportIds, friendId }: Subjects,
): Promise<ReleasedStorage> {
  const entry = (deed: ReleasedQueueEntry['deed'], args: Record<string, unknown>) =>
    releasedEntry(person, deed, args);
  const dogPhoto = entry('dog_photo', {
    bucket: 'users',
    path: `${person.id}/dogs/${dogId}/primary/primary-rex-${randomUUID()}.webp`,
    alone: true,
  });
  const parkPhoto = entry('park_photo', {
    bucket: 'parks',
    path: `${parkId}/other/rex-${randomUUID()}.webp`,
    alone: false,
  });
  const photo = { base64: (await picture('webp')).toString('base64'), type: 'image/webp' };
  return {
    entries: [
      dogPhoto,
      entry('accept_terms', { confirm_age: false }),
      entry('confirm_condition', { p_report_id: reportIds.confirmed }),
      entry('end_condition', { p_report_id: reportIds.over }),
      entry('report_condition', { p_park_id: parkId, p_condition: 'brokenFountain' }),
      entry('set_favourite', { park_id: parkId, favourite: true }),
      parkPhoto,
      entry('check_in', {
        p_park_id: parkId,
        p_dog_ids: [dogId],
        p_stay_minutes: 60,
        p_switch: false,
      }),
      entry('check_out', {}),
      entry('save_review', {
        p_park_id: parkId,
        p_title: '',
        p_content: 'Good water',
        p_rank: 4,
        p_anonymous: false,
        // What the app took for the time of a review that is not there yet.
        p_based_on: '1970-01-01T00:00:00Z',
      }),
      entry('send_friend_request', { p_user_id: friendId }),
    ],
    photos: { [dogPhoto.id]: photo, [parkPhoto.id]: photo },
  };
}

/** Some of the answers that the old app had seen: database `packpark-seen`, store `queries`, key `seen`. */
function seenQueries(person: Person) {
  const queryKey = ['users', person.id, 'own'];
  return {
    shape: 2,
    userId: person.id,
    queries: [
      {
        queryKey,
        queryHash: JSON.stringify(queryKey),
        dehydratedAt: Date.now() - 60_000,
        state: {
          data: { id: person.id, name: person.name, language: 'en', theme: 'light' },
          dataUpdateCount: 1,
          dataUpdatedAt: Date.now() - 60_000,
          error: null,
          errorUpdateCount: 0,
          errorUpdatedAt: 0,
          fetchFailureCount: 0,
          fetchFailureReason: null,
          fetchMeta: null,
          isInvalidated: true,
          status: 'success',
          fetchStatus: 'idle',
        },
      },
    ],
  };
}

/**
 * Puts it all where the old app left it: its IndexedDB stores, local storage with the session, and the old worker's caches.
 * @param page of somebody who is not logged in and has opened nothing yet; afterwards on a file of the site, not in the app
 */
export async function plantReleasedStorage(
  page: Page,
  site: Site,
  person: Person,
  storage: ReleasedStorage,
): Promise<void> {
  await page.goto(`${site.url}/config.json`);
  await page.evaluate(
    async ({ entries, photos, seen, session }) => {
      const put = (database: string, store: string, key: string, value: unknown) =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open(database);
          opening.onupgradeneeded = () => opening.result.createObjectStore(store);
          opening.onerror = () => reject(new Error(String(opening.error)));
          opening.onsuccess = () => {
            const database = opening.result;
            const writing = database.transaction(store, 'readwrite');
            writing.objectStore(store).put(value, key);
            writing.oncomplete = () => {
              database.close();
              resolve();
            };
            writing.onerror = () => reject(new Error(String(writing.error)));
          };
        });
      await put('packpark-outbox', 'entries', 'entries', entries);
      for (const [id, { base64, type }] of Object.entries(photos)) {
        const { buffer } = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        await put('packpark-outbox-bytes', 'bytes', id, { buffer, type });
      }
      await put('packpark-seen', 'queries', 'seen', seen);
      const settings = {
        'packpark-session': session,
        language: 'en',
        theme: 'light',
        visits: '2',
        keptPages: 'yes',
      };
      for (const [name, value] of Object.entries(settings)) localStorage.setItem(name, value);
      for (const [name, files] of Object.entries({
        'app-2967f4885623': ['/', '/config.json', '/assets/main-oldoldol.js'],
        'park-lists': ['/storage/v1/object/public/parks/parks-en.json'],
        'park-photos': ['/storage/v1/render/image/public/parks/1/primary/primary-1.webp?width=960'],
        'map-tiles': ['/tiles/16/39104/26558.png'],
      })) {
        const cache = await caches.open(name);
        for (const file of files) await cache.put(file, new Response('[]'));
      }
    },
    {
      ...storage,
      seen: seenQueries(person),
      session: JSON.stringify(person.session),
    },
  );
}
