// The session: follows the official client's auth events, fetches the user's record, and ends the session.
import { isNetworkFailure } from '#/i18n/errors.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { isOnline, onReconnect } from '#/platform/online.ts';
import { ownUserKey } from '#/data/session/own-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { cacheRestored } from '#/data/cache-restored.ts';
import { parseStoredSession, secondFactorMissing, type SessionLike } from './session-rules.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import {
  clearStoredSession,
  readStoredSession,
  storedSessionText,
} from '#/platform/stored-session.ts';
import { createStore, useStore } from '#/core/store.ts';
import { loadClient, supabase, type Supabase } from '#/data/supabase.ts';
import type { Tables } from '../../../../shared/database.types.ts';

/** The user's own record. */
export interface OwnUser extends Omit<Tables<'users'>, 'picture'> {
  /** Time of the last change in the user's own data. */
  own_changes: { changed_at: string } | null;
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
  /** unknown: a stored session is being read. secondFactor: the password was correct, the code is missing. */
  status: 'unknown' | 'out' | 'secondFactor' | 'in';
  userId: string | null;
  email: string | null;
  /** Null until the user is fetched, and while offline. */
  user: OwnUser | null;
  /** The reason why the session ended if the user did not log out. */
  ended: 'expired' | 'userMissing' | 'secondFactor' | null;
  lostBy: string | null;
  lastEvent: AuthEvent | null;
}

const OUT: SessionState = {
  status: 'out',
  userId: null,
  email: null,
  user: null,
  ended: null,
  lostBy: null,
  lastEvent: null,
};

/** Time limit for refreshing the session before the stored one is shown. */
const REFRESH_TIMEOUT_MS = 3000;

const session = createStore<SessionState>({ ...OUT, status: 'unknown' });
let watching: Promise<void> | null = null;
let leaving = false;
/** The latest access token; it is needed once more after the session has ended. */
let accessToken = '';
/** Counts starts and ends of saving the user's record. A read that overlaps with a save may return the old record. */
let saves = 0;
/** Counts reads of the user's record, because only the latest of concurrent reads is used. */
let readings = 0;
/** Tasks that need the session and run before it ends. */
const signOutTasks = new Set<() => Promise<void>>();
/** Stores of personal data in other parts of the app: the query cache and the command queue. */
const stores = new Set<PersonalStore>();

/** A store of personal data on this device, which follows the session. It logs its own failures. */
interface PersonalStore {
  /** Deletes cached data after another user has logged in or access was lost. */
  clearCache?: () => void;
  /** Deletes the unsent commands of a user who has logged out and confirmed the deletion. */
  clearUnsent?: (userId: string) => Promise<void>;
}

/** Call this before the session starts. */
export const registerPersonalStore = (store: PersonalStore): void => void stores.add(store);

/**
 * ID of the user whose data is in the query cache. At the start that is the user of the stored session, whose cache is restored.
 */
let seenBy: string | null = null;

// This listener must be the first, so that the next user on this device never sees the data of the previous one.
session.subscribe(() => {
  const { userId } = session.get();
  if (seenBy !== null && seenBy !== userId) clearPersonalData();
  seenBy = userId;
});

/**
 * Empties the query cache and its stored copy, except for queries with `meta: { sameForAll: true }`. Call `refetchCleared` only
 * after the screens have re-rendered for the new session, because an earlier fetch would be sent as the previous user.
 */
export function clearPersonalData(): void {
  for (const store of stores) store.clearCache?.();
  const isPersonal = ({ meta }: { meta: Record<string, unknown> | undefined }) =>
    meta?.sameForAll !== true;
  for (const query of queryClient.getQueryCache().findAll({ predicate: isPersonal })) query.reset();
}

/** Fetches the emptied queries that are still on screen. */
export const refetchCleared = (): Promise<void> =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.data === undefined && state.fetchStatus === 'idle',
  });

/** For code outside React. The status is 'unknown' until the stored session has been read; use `sessionReady` if it matters. */
export const getSession = (): SessionState => session.get();

export const useSession = (): SessionState => useStore(session);

export const subscribeSession = (listener: () => void): (() => void) => session.subscribe(listener);

/** Resolves with the first session state that fulfils a condition. */
const stateWhere = (fulfils: (state: SessionState) => boolean): Promise<SessionState> =>
  new Promise((resolve) => {
    const look = () => {
      if (!fulfils(session.get())) return;
      stop();
      resolve(session.get());
    };
    const stop = session.subscribe(look);
    look();
  });

export const sessionReady = (): Promise<SessionState> =>
  stateWhere(({ status }) => status !== 'unknown');

/** Resolves after a login. For visitors it may never resolve. */
export const whenLoggedIn = (): Promise<SessionState> =>
  stateWhere(({ status }) => status === 'in');

/** The session as the client has stored it on this device; it may have expired. */
export const storedSession = (): SessionLike | null => parseStoredSession(storedSessionText());

function beginWithStored(): void {
  const stored = storedSession();
  if (stored) {
    seenBy = stored.user.id;
    void watchSession();
    setTimeout(useStoredSession, isOnline() ? REFRESH_TIMEOUT_MS : 0);
  } else session.set(OUT);
}

/** Starts the session. The client is loaded only if a session is stored. Follows logins and logouts of other tabs, too. */
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
    // Load the client now if that failed at the start.
    if (session.get().status === 'in') void watchSession().then(fetchOwnUser);
  });
}

/** Refreshing an expired session needs the network and may take long, so use the stored session until then. */
function useStoredSession(): void {
  const stored = storedSession();
  if (session.get().status === 'unknown' && stored) follow('INITIAL_SESSION', stored);
}

/** Loads the client and follows its events; call it before signing in. Resolves after the first event. */
export function watchSession(): Promise<void> {
  watching ??= loadClient()
    .then(
      (client) =>
        new Promise<void>((resolve) => {
          let events = Promise.resolve();
          client.auth.onAuthStateChange((event, next) => {
            // The client holds its lock during this callback, so its methods must not be called until the callback has returned.
            const unlocked = new Promise((go) => setTimeout(go));
            events = Promise.all([events, unlocked])
              .then(() => (next ? untilStored(client, next) : undefined))
              .then(() => {
                follow(event as AuthEvent, next);
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
 * Waits until a login of another tab can be read in this tab, because the message about it may arrive before the session is stored.
 * A request in between would be sent as a visitor's, and its rejection would end the new session everywhere.
 */
async function untilStored(client: Supabase, theirs: SessionLike): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (storedSession()?.user.id === theirs.user.id) return;
    // If local storage is not available, the session is in the client's memory.
    const { data } = await client.auth.getSession();
    if (data.session?.user.id === theirs.user.id) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function follow(event: AuthEvent, next: SessionLike | null): void {
  const before = session.get();
  // When offline, an expired session cannot be refreshed, so use the stored one.
  const theirs = next ?? (event === 'INITIAL_SESSION' ? storedSession() : null);
  if (!theirs) {
    // Also true if the server rejected the stored session before the app showed the user as logged in.
    const wasLoggedIn = seenBy !== null;
    // The client may send the event twice, so keep the first reason until the next login.
    const ended = leaving ? null : (before.ended ?? (wasLoggedIn ? 'expired' : null));
    const lostBy = ended && (before.lostBy ?? seenBy);
    session.set({ ...OUT, ended, lostBy, lastEvent: event });
    if (ended && accessToken) findReason(accessToken).catch(console.warn);
    accessToken = '';
    return;
  }
  accessToken = theirs.access_token;
  const same = theirs.user.id === before.userId;
  session.set({
    status: secondFactorMissing(theirs) ? 'secondFactor' : 'in',
    userId: theirs.user.id,
    email: theirs.user.email ?? null,
    user: same ? before.user : null,
    ended: null,
    lostBy: null,
    lastEvent: event,
  });
  writeLocal('wasIn', 'yes');
  if (event === 'SIGNED_IN') writeLocal('userDeleted', null);
  const { status, user } = session.get();
  if (status === 'in' && (!user || event === 'USER_UPDATED')) void fetchOwnUser();
}

/** Replaces the reason of the logout. Without a network the first reason stays. */
async function findReason(token: string): Promise<void> {
  const { wasEndedBySecondFactor } = await import('./end-reason.ts');
  if ((await wasEndedBySecondFactor(token)) && session.get().ended)
    session.set({ ...session.get(), ended: 'secondFactor' });
}

/** Fetches the user's own record. Logs out a user whose record does not exist. @returns false if it does not exist */
export async function fetchOwnUser(): Promise<boolean> {
  const { userId } = session.get();
  if (!userId) return false;
  if (!isOnline()) return showLastSeenUser(userId);
  // Without the client nothing can be fetched, so show the cached record, as when offline.
  const client = await loadClient().catch(() => null);
  if (!client) return showLastSeenUser(userId);
  const before = saves;
  readings += 1;
  const reading = readings;
  const { data, error, status } = await client
    .from('users')
    .select(
      'id,name,hidden,theme,language,created_at,show_friends,show_favourites,own_changes(changed_at)',
    )
    .eq('id', userId)
    .maybeSingle();
  if (session.get().userId !== userId) return false;
  if (reading !== readings) return true;
  if (data && before !== saves) return fetchOwnUser();
  if (data) {
    queryClient.setQueryData<OwnUser>(ownUserKey(userId), data);
    session.set({ ...session.get(), user: data });
    return true;
  }
  if (isRefreshPending() || (error && (isNetworkFailure({ ...error, status }) || status >= 500)))
    return showLastSeenUser(userId);
  await endSession(error && status === 401 ? 'expired' : 'userMissing');
  return false;
}

/** Shows the cached record of the user. */
async function showLastSeenUser(userId: string): Promise<true> {
  await cacheRestored();
  const now = session.get();
  const user = now.user ?? queryClient.getQueryData<OwnUser>(ownUserKey(userId)) ?? null;
  if (now.userId === userId && user !== now.user) session.set({ ...now, user });
  return true;
}

/**
 * True if the stored session has expired and could not be refreshed, for example offline. The server then rejects requests because
 * of the expired token, which does not mean that the session has ended. If the server rejects a
 * refresh, the client deletes the session.
 */
export function isRefreshPending(): boolean {
  const stored = storedSession();
  return stored?.expires_at !== undefined && stored.expires_at * 1000 <= Date.now();
}

/** Changes the user's record on the server and in `session`; if it fails, in neither. @throws the original error */
export async function saveOwnUser(
  patch: Partial<Omit<OwnUser, 'id' | 'created_at' | 'own_changes'>>,
): Promise<void> {
  const { userId } = session.get();
  if (!userId) return;
  const client = await supabase();
  saves += 1;
  const { error } = await client.from('users').update(patch).eq('id', userId);
  saves += 1;
  if (error) throw error;
  if (userId === session.get().userId) showOwnUser(patch);
}

export function showOwnUser(patch: Partial<OwnUser>): void {
  saves += 1;
  const { user } = session.get();
  if (user) session.set({ ...session.get(), user: { ...user, ...patch } });
}

/**
 * Runs just before a logout, while the session is still valid (to unregister the push token). A failure does not stop the logout.
 */
export const beforeSignOut = (task: () => Promise<void>): void => void signOutTasks.add(task);

export type SignOutScope = 'global' | 'local';

/**
 * Logs out on all devices by default, and if that fails on this device only. 401, 403 and 404 mean that the session had already
 * ended.
 */
export async function signOut(scope: SignOutScope = 'global'): Promise<void> {
  const reason = session.get().ended;
  leaving = reason === null;
  try {
    await Promise.allSettled([...signOutTasks].map((task) => task()));
    // Offline, the server cannot be reached, but the session on this device must end in any case.
    if (!isOnline() || (await isLogoutRejected(scope))) await clearStoredSession();
    const { userId, ended, lostBy } = session.get();
    session.set({
      ...OUT,
      ended: reason && (ended ?? reason),
      lostBy: reason && (userId ?? lostBy),
      lastEvent: 'SIGNED_OUT',
    });
    // If a session has expired, unsent commands are kept for the user's next login.
    if (leaving && userId)
      await Promise.all([...stores].map((store) => store.clearUnsent?.(userId)));
  } finally {
    leaving = false;
  }
}

/**
 * Logs out a user whose session the server has rejected. Unsent commands are kept for the next login; the root layout shows the
 * reason.
 */
export async function endSession(why: NonNullable<SessionState['ended']>): Promise<void> {
  session.set({ ...session.get(), ended: why });
  await signOut();
}

async function isLogoutRejected(scope: SignOutScope): Promise<boolean> {
  const client = await loadClient().catch(() => null);
  if (!client) return true;
  const { error } = await client.auth.signOut({ scope });
  if (!error) return false;
  if (![401, 403, 404].includes(error.status ?? 0))
    console.warn('Could not log out:', error.message);
  return (await client.auth.signOut({ scope: 'local' })).error !== null;
}
