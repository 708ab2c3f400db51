// Who is logged in: follows the official client's auth events, fetches the user's record, and ends the session.
import type { Language } from '#/i18n/languages.ts';
import { isNetworkFailure } from '#/i18n/errors.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { isOnline, onReconnect } from '#/platform/online.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { cacheRestored } from '#/data/cache-restored.ts';
import {
  parseStoredSession,
  secondFactorMissing,
  type SessionLike,
} from '#/data/session/session-rules.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import {
  forgetStoredSession,
  readStoredSession,
  storedSessionText,
} from '#/platform/stored-session.ts';
import { createStore, useStore } from '#/core/store.ts';
import { loadClient, supabase, type Supabase } from '#/data/supabase.ts';

/** The user's own record, as everyone allowed may read it. */
export interface OwnUser {
  id: string;
  name: string;
  hidden: boolean;
  theme: 'light' | 'dark' | null;
  language: Language;
  /** ISO 8601. */
  created_at: string;
  /** Friends see them. */
  show_friends: boolean;
  show_favourites: boolean;
}

type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

interface SessionState {
  /** unknown: a stored session is being read; secondFactor: the password was right, the code is missing. */
  status: 'unknown' | 'out' | 'secondFactor' | 'in';
  userId: string | null;
  email: string | null;
  /** Null until it is fetched, and while offline. */
  user: OwnUser | null;
  /** Why nobody is logged in any more, where the person did not log out. */
  ended: 'expired' | 'userMissing' | null;
  lastEvent: AuthEvent | null;
}

const OUT: SessionState = {
  status: 'out',
  userId: null,
  email: null,
  user: null,
  ended: null,
  lastEvent: null,
};

/** How long the client may take to say who is there. */
const PATIENCE_MS = 3000;

const session = createStore<SessionState>({ ...OUT, status: 'unknown' });
let watching: Promise<void> | null = null;
let leaving = false;
let tellKnown: () => void = () => undefined;
const known = new Promise<void>((resolve) => {
  tellKnown = resolve;
});
/** What has to happen while a session still counts, before it ends. */
const beforeEnd = new Set<() => Promise<void>>();
/** What other parts of the app keep of people: the copy of the query cache, and the queue of commands. */
const stores = new Set<PersonalStore>();

/** A store on this device with data of people, which has to follow the session. It reports what it cannot do itself. */
interface PersonalStore {
  /** What was seen is deleted: somebody else is here now, or somebody may no longer see it. */
  forgetSeen?: () => void;
  /** What a person left to be sent is deleted: they logged out on purpose, and were told. */
  forgetUnsent?: (userId: string) => Promise<void>;
}

/** Call it before the session starts. */
export const registerPersonalStore = (store: PersonalStore): void => void stores.add(store);

/** Who saw what the query cache holds; at the start whose session is stored, for what they saw is brought back. */
let seenBy: string | null = null;

// Before every other listener: what one person saw, the next one on this device must not.
session.subscribe(() => {
  const { status, userId } = session.get();
  if (status !== 'unknown') tellKnown();
  if (seenBy !== null && seenBy !== userId) forgetPersonalData();
  seenBy = userId;
});

/** Empties the query cache and its copy on this device, except for queries with `meta: { sameForAll: true }`; those on the screen are asked again. */
export function forgetPersonalData(): void {
  for (const store of stores) store.forgetSeen?.();
  void queryClient.resetQueries({ predicate: (query) => query.meta?.sameForAll !== true });
}

/** For code outside React; 'unknown' until the stored session was read, so wait for `sessionReady` where it decides something. */
export const getSession = (): SessionState => session.get();

/** The same as `getSession` for components, which render again. */
export const useSession = (): SessionState => useStore(session);

/** Calls back whenever somebody logs in or out, or the own record changes. */
export const subscribeSession = (listener: () => void): (() => void) => session.subscribe(listener);

/** Resolves when somebody is logged in, which for a visitor may be never. */
export const whenLoggedIn = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (session.get().status !== 'in') return;
      stop();
      resolve();
    };
    const stop = session.subscribe(look);
    look();
  });

/** The session as the client keeps it on this device, without asking anybody whether it still holds. */
export const storedSession = (): SessionLike | null => parseStoredSession(storedSessionText());

function beginWithStored(): void {
  const stored = storedSession();
  if (stored) {
    seenBy = stored.user.id;
    void watchSession();
    setTimeout(useStoredSession, isOnline() ? PATIENCE_MS : 0);
  } else session.set(OUT);
}

/** At start: a visitor is known at once, without the client; a stored session wakes it. Another tab's login is noticed. */
export function startSession(): void {
  const reading = readStoredSession();
  if (reading) void reading.then(beginWithStored, beginWithStored);
  else beginWithStored();
  addEventListener('storage', (event) => {
    if (event.key !== SESSION_KEY) return;
    if (event.newValue) void watchSession();
    else if (session.get().userId) session.set({ ...OUT, lastEvent: 'SIGNED_OUT' });
  });
  onReconnect(() => {
    // The client may not have come at the start: then nobody follows it yet.
    if (session.get().status === 'in') void watchSession().then(fetchOwnUser);
  });
}

/** Renewing an old session needs the network, and the client tries long: meanwhile the person is who they were. */
function useStoredSession(): void {
  const stored = storedSession();
  if (session.get().status === 'unknown' && stored) follow('INITIAL_SESSION', stored);
}

/** Loads the client and follows its events; call it before anything that signs in. Resolves once it is known who is there. */
export function watchSession(): Promise<void> {
  watching ??= loadClient()
    .then(
      (client) =>
        new Promise<void>((resolve) => {
          let said = Promise.resolve();
          client.auth.onAuthStateChange((event, answered) => {
            // The client holds a lock while it calls us: whatever asks it again has to come later.
            const later = new Promise((go) => setTimeout(go));
            said = Promise.all([said, later])
              .then(() => (answered ? untilStored(client, answered) : undefined))
              .then(() => {
                follow(event as AuthEvent, answered);
                resolve();
              })
              .catch((error: unknown) => console.error('A change of the session:', error));
          });
        }),
    )
    .catch((error: unknown) => {
      watching = null;
      console.warn('The client could not be loaded:', error);
      follow('INITIAL_SESSION', null);
    });
  return watching;
}

/**
 * Another tab's word of a login can come before what that tab stored is readable here. Asked in between, the client would
 * ask as a visitor, and the refusal would end the new session everywhere.
 */
async function untilStored(client: Supabase, theirs: SessionLike): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (storedSession()?.user.id === theirs.user.id) return;
    // Where nothing can be stored, the client holds it in memory.
    const { data } = await client.auth.getSession();
    if (data.session?.user.id === theirs.user.id) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resolves with the state once it is no longer 'unknown'. */
export async function sessionReady(): Promise<SessionState> {
  if (session.get().status === 'unknown') await known;
  return session.get();
}

function follow(event: AuthEvent, answered: SessionLike | null): void {
  const before = session.get();
  // Without a network an expired session cannot be renewed; it is still on this device and still theirs.
  const theirs = answered ?? (event === 'INITIAL_SESSION' ? storedSession() : null);
  if (!theirs) {
    // Also where the stored session was refused before anybody was shown as logged in.
    const wasSomebody = seenBy !== null;
    // The client may say it twice; the reason stays until somebody logs in.
    const ended = leaving ? null : (before.ended ?? (wasSomebody ? 'expired' : null));
    session.set({ ...OUT, ended, lastEvent: event });
    return;
  }
  const same = theirs.user.id === before.userId;
  session.set({
    status: secondFactorMissing(theirs) ? 'secondFactor' : 'in',
    userId: theirs.user.id,
    email: theirs.user.email ?? null,
    user: same ? before.user : null,
    ended: null,
    lastEvent: event,
  });
  if (event === 'SIGNED_IN') writeLocal('userDeleted', null);
  const { status, user } = session.get();
  if (status === 'in' && (!user || event === 'USER_UPDATED')) void fetchOwnUser();
}

/**
 * Fetches the own record into the session. A person without one is logged out; being offline is no reason.
 * @returns false when there is none
 */
export async function fetchOwnUser(): Promise<boolean> {
  const { userId } = session.get();
  if (!userId) return false;
  if (!isOnline()) return showLastSeenUser(userId);
  // Without the client nobody can be asked, as without a network.
  const client = await loadClient().catch(() => null);
  if (!client) return showLastSeenUser(userId);
  const { data, error, status } = await client
    .from('users')
    .select('id,name,hidden,theme,language,created_at,show_friends,show_favourites')
    .eq('id', userId)
    .maybeSingle();
  if (session.get().userId !== userId) return false;
  if (data) {
    queryClient.setQueryData<OwnUser>(peopleKeys.own(userId), data);
    session.set({ ...session.get(), user: data });
    return true;
  }
  if (isRenewalPending() || (error && (isNetworkFailure({ ...error, status }) || status >= 500)))
    return showLastSeenUser(userId);
  await endSession(error && status === 401 ? 'expired' : 'userMissing');
  return false;
}

/** The record as it was last seen. */
async function showLastSeenUser(userId: string): Promise<true> {
  await cacheRestored();
  const now = session.get();
  const user = now.user ?? queryClient.getQueryData<OwnUser>(peopleKeys.own(userId)) ?? null;
  if (now.userId === userId && user !== now.user) session.set({ ...now, user });
  return true;
}

/**
 * True while the stored session is past its time and the client still holds on to it: it could not be renewed for want
 * of a network, so a refusal says nothing about the person. A session that was really refused is no longer stored.
 */
export function isRenewalPending(): boolean {
  const stored = storedSession();
  return stored?.expires_at !== undefined && stored.expires_at * 1000 <= Date.now();
}

/** Changes the own record on the server and here; a failure is thrown as it came, and nothing changed. */
export async function saveOwnUser(
  patch: Partial<Omit<OwnUser, 'id' | 'created_at'>>,
): Promise<void> {
  const { userId } = session.get();
  if (!userId) return;
  const client = await supabase();
  const { error } = await client.from('users').update(patch).eq('id', userId);
  if (error) throw error;
  const { user } = session.get();
  if (user?.id === userId) session.set({ ...session.get(), user: { ...user, ...patch } });
}

/** Runs while the session still counts, just before a logout (a device's push token is taken back so). Never stops it. */
export const beforeSignOut = (task: () => Promise<void>): void => void beforeEnd.add(task);

/** Where a logout counts: on every device, or on this one. */
export type SignOutScope = 'global' | 'local';

/** Logs out everywhere unless told otherwise, and where that fails on this device only. 401, 403 and 404 mean that it was over already. */
export async function signOut(scope: SignOutScope = 'global'): Promise<void> {
  const reason = session.get().ended;
  leaving = reason === null;
  try {
    await Promise.allSettled([...beforeEnd].map((task) => task()));
    // Without a network all of it is refused, but the person wants to be out of this device.
    if (!isOnline() || (await isRefused(scope))) await forgetStoredSession();
    const { userId } = session.get();
    session.set({ ...OUT, ended: reason, lastEvent: 'SIGNED_OUT' });
    // A session that ends by itself keeps what is not sent yet, for the next login of the same person.
    if (leaving && userId)
      await Promise.all([...stores].map((store) => store.forgetUnsent?.(userId)));
  } finally {
    leaving = false;
  }
}

/** Logs out somebody whom the server no longer takes. What is not sent yet is kept for their next login; the root says why they are out. */
export async function endSession(why: NonNullable<SessionState['ended']>): Promise<void> {
  session.set({ ...session.get(), ended: why });
  await signOut();
}

async function isRefused(scope: SignOutScope): Promise<boolean> {
  const client = await loadClient().catch(() => null);
  if (!client) return true;
  const { error } = await client.auth.signOut({ scope });
  if (!error) return false;
  if (![401, 403, 404].includes(error.status ?? 0))
    console.warn('Could not log out:', error.message);
  return (await client.auth.signOut({ scope: 'local' })).error !== null;
}
