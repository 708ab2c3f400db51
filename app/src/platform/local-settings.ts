// Settings of this device: small values in localStorage, which may be missing, full or forbidden.
/** Settings that concern a user. They are deleted at logout, so that the next user of this device does not see them. */
export type UserSetting =
  /** The account's theme and language when last fetched. */
  | 'accountAppearance'
  /** Space-separated dog IDs of the last check-in; empty for dogs without a profile. */
  | 'usualDogs'
  /** The park at which the app last offered a check-in, and when, so it is offered once per visit. */
  | 'offeredAtPark'
  /** The friend code that this device opened last, and the device's random key for it. */
  | 'scannedCode'
  /** The user's current visit as known to this device; after it ends, the app offers to review the park. */
  | 'seenVisit'
  /** Temporary states of the user's dogs; see entities/dogs/dog-states.ts. */
  | 'dogStates';

type LocalSetting =
  | UserSetting
  | 'language'
  | 'theme'
  | 'device_id'
  | 'userDeleted'
  | 'locationDismissed'
  | 'directionsApp'
  /** Order of nearby parks: 'distance' or 'rank' (default), which lists the best first. */
  | 'parkOrder'
  /** Number of times the app was opened, counted up to 2. */
  | 'visits'
  /** Set after the first check-in on this device. */
  | 'checkedIn'
  /** The secret with which only this browser reads the answer to its message from a dog's tag, cleared at logout. */
  | `tag/${string}`
  /** Set once the user has closed the welcome on the home map. */
  | 'welcomed'
  /** Set from sign-up on this device until the user's own dogs have been shown. */
  | 'newcomer'
  /** Set after a login on this device: auth gates then offer to log in first, otherwise to sign up. */
  | 'wasIn'
  /** The page to open after login (data/session/intent.ts). */
  | 'intent'
  /** Set once the user has responded to the install hint. */
  | 'installHint'
  /** Set while query results are cached on this device. */
  | 'cachedQueries'
  /** Set while commands are queued on this device. */
  | 'queued'
  | 'offlineMap'
  /** Set while photos of unsent forms are stored on this device. */
  | 'draftPhotos'
  | 'config'
  /** ID of the user whose push token is registered; after logout the device has to unregister it. */
  | 'pushFor'
  /** Set while single-letter shortcuts of the desk are turned off. */
  | 'deskKeys'
  /** Set once the user has dismissed the push hint. */
  | 'pushDismissed';

/** Returns null if nothing is stored or storage is blocked. */
export function readLocal(name: LocalSetting): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Null removes the value. If storage is forbidden, the setting lasts until the page is closed. */
export function writeLocal(name: LocalSetting, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch (error) {
    console.warn(`Could not remember ${name}:`, error);
  }
}
