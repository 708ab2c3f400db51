// A command's response is shown without refetching; after a rejection, all affected queries are refetched.
import {
  hashKey,
  type MutationOptions,
  MutationObserver,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { sessionOf, startBrowserOnNode } from '../testing/browser-on-node.ts';
import 'fake-indexeddb/auto';

const PARK = 7;
const VISIT = '1f6f86a4-11aa-4c0e-8a39-6e27c1a8d9b5';
const MY_VISIT = { check_in_id: VISIT, park_id: PARK, expires_at: '2026-11-22T11:00:00Z' };
const LATER = { ...MY_VISIT, expires_at: '2026-11-22T11:30:00Z' };
const MY_PLAN = { ...MY_VISIT, type: 'plan', arrives_at: '2026-11-22T10:45:00Z' };

const review = (id: string, created_at: string, more: object = {}) => ({
  id,
  park_id: PARK,
  title: '',
  content: '',
  rank: 3,
  created_at: `${created_at}T00:00:00+00:00`,
  ...more,
});
const OTHERS = ['21', '20', '19'].map((day) => review(`of-${day}`, `2026-11-${day}`));
/** Includes the author's own timestamp, as in the server's response. */
const MINE = review('mine', '2026-11-20', { title: 'Good', rank: 5, mine: true });
const pagesOf = (...pages: unknown[][]) => ({ pages, pageParams: pages.map((_, at) => at) });

const user = { id: '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11', email: 'dana@example.org' };

interface Case {
  mutation: (queryClient: QueryClient) => unknown;
  input: unknown;
  response?: unknown;
  /** Cached data before and after; without `after`, the query must be refetched. */
  queries: [key: QueryKey, before: unknown, after?: unknown][];
}

const browser = await startBrowserOnNode({ withWindow: true });
/** Responds to commands; requests for the current user always succeed. */
const respondToCommands = (status: number, response: unknown) =>
  browser.respond(({ url }) =>
    /\/auth\/v1\/|\/rest\/v1\/users\b/.test(url.pathname) ? [200, user] : [status, response],
  );

const { commandMutation } = await import('#/offline/command-queue/use-command.ts');
const { makeIdempotencyKey } = await import('#/offline/command-queue/idempotency-key.ts');
const favourites = await import('#/features/favourites/commands/set-favourite.command.ts');
const consents = await import('#/features/consents/commands/accept-terms.command.ts');
const checkIn = await import('#/features/check-ins/commands/check-in.command.ts');
const checkOut = await import('#/features/check-ins/commands/check-out.command.ts');
const saveReview = await import('#/features/reviews/commands/save-review.command.ts');
const question =
  await import('#/features/fact-answers/commands/respond-to-park-question.command.ts');
const extendStay = await import('#/features/check-ins/commands/extend-stay.command.ts');
const { unblockMutation } = await import('#/features/users/commands/blocks.ts');
const preferences = await import('#/features/notifications/queries/preferences.ts');
const { DEFAULT_PREFERENCES, savePreferencesMutation } = preferences;
await logIn();
const keys = makeIdempotencyKey();
const given = { age_confirmed: true, terms_accepted: true, licence_agreed: true };
const cases: Record<string, Case> = {
  'a heart': {
    mutation: (queryClient) => commandMutation(queryClient, favourites.command, keys),
    input: { parkId: PARK, favourite: true },
    queries: [
      [parkKeys.status(PARK), { is_favourite: false }, { is_favourite: true }],
      [parkKeys.favourites, [1], [PARK, 1]],
    ],
  },
  'accepting the terms': {
    mutation: (queryClient) => commandMutation(queryClient, consents.command, keys),
    input: { confirmAge: true, licence: true },
    queries: [[myConsentsKey, { ...given, terms_accepted: false }, given]],
  },
  'a check-in': {
    mutation: (queryClient) => commandMutation(queryClient, checkIn.command, keys),
    input: { parkId: PARK, dogIds: [], stayMinutes: 60, switch: false },
    response: { status: 'checked_in', park_id: PARK, elsewhere: null, stay: MY_VISIT },
    queries: [
      [parkKeys.myCheckIn, null, MY_VISIT],
      [parkKeys.status(PARK), { dogs_now: 1 }],
      [parkKeys.live, [PARK]],
    ],
  },
  'a plan to come': {
    mutation: (queryClient) => commandMutation(queryClient, checkIn.command, keys),
    input: { parkId: PARK, dogIds: [], stayMinutes: 60, switch: true },
    response: { status: 'planned', park_id: PARK, elsewhere: null, stay: MY_PLAN },
    queries: [[parkKeys.myCheckIn, MY_VISIT, MY_PLAN]],
  },
  'a first review': {
    mutation: (queryClient) => commandMutation(queryClient, saveReview.command, keys),
    input: { parkId: PARK, rank: 5, title: 'Good', content: '', anonymous: false },
    response: MINE,
    queries: [
      [[...parkKeys.reviews(PARK), 'mine'], null, MINE],
      [
        [...parkKeys.reviews(PARK), 'newest'],
        pagesOf(OTHERS),
        pagesOf([OTHERS[0], MINE, ...OTHERS.slice(1)]),
      ],
      [[...parkKeys.reviews(PARK), 'best'], pagesOf(OTHERS)],
      [parkKeys.status(PARK), { review_count: 3 }],
      [userKeys.reviews(user.id), []],
    ],
  },
  'a changed review': {
    mutation: (queryClient) => commandMutation(queryClient, saveReview.command, keys),
    input: { parkId: PARK, rank: 5, title: 'Good', content: '', anonymous: false },
    response: MINE,
    queries: [
      [
        [...parkKeys.reviews(PARK), 'newest'],
        pagesOf([{ ...MINE, title: 'Old' }, ...OTHERS.slice(1)]),
        pagesOf([MINE, ...OTHERS.slice(1)]),
      ],
    ],
  },
  'an answer to the question of a visit': {
    mutation: (queryClient) => commandMutation(queryClient, question.command, keys),
    input: { checkInId: 'c1', parkId: PARK, value: 'yes' },
    response: { agreed: null },
    queries: [
      [parkKeys.question('c1'), { fact: 'lit' }, null],
      [parkKeys.status(PARK), { disputed_facts: {} }],
    ],
  },
  // The user may be checked in elsewhere by now.
  'a check-out of a visit that had ended': {
    mutation: (queryClient) => commandMutation(queryClient, checkOut.command, keys),
    input: { visitId: VISIT, parkId: PARK },
    response: { status: 'already_ended' },
    queries: [[parkKeys.myCheckIn, MY_VISIT]],
  },
  'a check-out': {
    mutation: (queryClient) => commandMutation(queryClient, checkOut.command, keys),
    input: { visitId: VISIT, parkId: PARK },
    response: {
      status: 'checked_out',
      park_id: PARK,
      park_name: 'Long Lawn',
      started_at: '2026-11-22T10:00:00Z',
      offer_review: false,
      own_dog_ids: [],
    },
    queries: [
      [parkKeys.myCheckIn, MY_VISIT, null],
      [parkKeys.status(PARK), { dogs_now: 2 }],
      [parkKeys.live, [PARK]],
    ],
  },
  'a longer visit': {
    mutation: (queryClient) => commandMutation(queryClient, extendStay.command, keys),
    input: { visitId: VISIT, parkId: PARK, minutes: 30, from: MY_VISIT.expires_at },
    response: { status: 'extended', ...LATER },
    queries: [
      [parkKeys.myCheckIn, MY_VISIT, LATER],
      [parkKeys.status(PARK), { dogs_now: 2 }],
    ],
  },
  'the end of a block': {
    mutation: unblockMutation,
    input: 'noa',
    queries: [[userKeys.blocks, [{ user_id: 'noa' }, { user_id: 'dan' }], [{ user_id: 'dan' }]]],
  },
  'a switch of the notifications': {
    mutation: (queryClient) => savePreferencesMutation(queryClient, 'me'),
    input: { muted: true },
    queries: [[userKeys.preferences, DEFAULT_PREFERENCES, { ...DEFAULT_PREFERENCES, muted: true }]],
  },
};

/** Commands require a logged-in user. */
async function logIn(): Promise<void> {
  respondToCommands(200, null);
  const { watchSession, getSession } = await import('#/data/session/session.ts');
  const { loadClient } = await import('#/data/supabase.ts');
  const client = await loadClient();
  await watchSession();
  await client.auth.setSession(sessionOf(user.id));
  await vi.waitFor(() => expect(getSession().user?.id).toBe(user.id), 20_000);
}

/** Runs the mutation with its queries mounted. @returns the cached data afterwards, and the refetched queries */
async function run({ mutation, input, queries }: Case) {
  const queryClient = new QueryClient({ defaultOptions: { mutations: { retry: false } } });
  const refetched: string[] = [];
  const stops = queries.map(([queryKey, before]) => {
    queryClient.setQueryData(queryKey, before);
    const queryFn = () => {
      refetched.push(hashKey(queryKey));
      // The value now, not `before`: the optimistic change of a rejected command must already be undone before any response.
      return queryClient.getQueryData(queryKey);
    };
    return new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(
      () => undefined,
    );
  });
  const options = mutation(queryClient) as MutationOptions<unknown, unknown, unknown>;
  const rejection = await new MutationObserver(queryClient, { ...options, retry: false })
    .mutate(input)
    .then(() => null)
    .catch((error: unknown) => error);
  for (const stop of stops) stop();
  return {
    rejection,
    refetched,
    known: queries.map(([queryKey]) => queryClient.getQueryData(queryKey)),
  };
}

test.each(Object.entries(cases))(
  '%s is shown, and only data that its response lacks is refetched',
  async (_, one) => {
    respondToCommands(200, one.response ?? null);
    const { rejection, refetched, known } = await run(one);
    expect(rejection).toBeNull();
    expect(known).toEqual(one.queries.map(([, before, after = before]) => after));
    const open = one.queries.filter(([, , after]) => after === undefined);
    expect(refetched).toEqual(open.map(([key]) => hashKey(key)));
  },
);

test.each(Object.entries(cases))(
  '%s that is rejected changes nothing, and everything is refetched',
  async (_, one) => {
    respondToCommands(400, { code: 'P0001', message: 'invalid_input' });
    const { rejection, refetched, known } = await run(one);
    expect(rejection).toMatchObject({ name: 'AppError' });
    expect(known).toEqual(one.queries.map(([, before]) => before));
    expect(new Set(refetched)).toEqual(new Set(one.queries.map(([key]) => hashKey(key))));
  },
);
