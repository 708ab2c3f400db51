// What this device remembers: small values in localStorage that may be missing, full or forbidden.
type LocalSetting =
  | 'language'
  | 'theme'
  /** The account's theme and language as this device saw them last, until its owner logs out. */
  | 'seenLooks'
  | 'device_id'
  | 'userDeleted'
  | 'locationDismissed'
  | 'directionsApp'
  /** By what the parks around are ordered: 'distance' or 'rank'; the best first where it is missing. */
  | 'parkOrder'
  /** How often the app was opened, up to the second time. */
  | 'visits'
  /** The ids of the dogs of the last check-in on this device, with spaces between; empty where they have no profile. */
  | 'usualDogs'
  /** Set once somebody has checked in on this device. */
  | 'checkedIn'
  /** The park that the person was asked about when the app found itself there, and when: asked once a visit. */
  | 'askedAtPark'
  /** The visit that the person is on, as far as this device knows: after its end they are asked for a review. */
  | 'seenVisit'
  /** Set from the signing up on this device until the person's own dogs are on the screen. */
  | 'newcomer'
  /** Set once somebody was logged in on this device: then the gates ask to log in first, else to sign up. */
  | 'wasIn'
  /** What to open after the login (data/session/intent.ts). */
  | 'intent'
  /** Set once the install hint was answered. */
  | 'installHint'
  /** Set while queries that were seen are cached on this device. */
  | 'keptPages'
  /** Set while commands are queued on this device. */
  | 'queued'
  /** What is so with the person's dogs for some time: entities/dogs/dog-states.ts. */
  | 'dogStates'
  | 'offlineMap'
  | 'config'
  /** The user whose push token the server has; after their logout the device has to unregister. */
  | 'pushFor'
  /** Set while single letters do nothing at the desk. */
  | 'deskKeys'
  /** Set once the hint about push notifications was dismissed. */
  | 'pushDismissed';

/** The stored text, or null where there is none or storage is forbidden. */
export function readLocal(name: LocalSetting): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it with null; without storage the choice lasts for this page only. */
export function writeLocal(name: LocalSetting, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch (error) {
    console.warn(`Could not remember ${name}:`, error);
  }
}
