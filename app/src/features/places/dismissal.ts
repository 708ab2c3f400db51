// Whether the location may be asked for again: 'maybe later' lasts for this session, 'don't show again' for ever.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

const SESSION_KEY = 'locationLater';
/** Where the session's storage is forbidden, the page remembers. */
let later = false;

/** True after either answer; without storage only as long as the page lives. */
export function locationNoticeDismissed(): boolean {
  if (later || readLocal('locationDismissed') !== null) return true;
  try {
    return sessionStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** 'Maybe later'. */
export function dismissForSession(): void {
  later = true;
  try {
    sessionStorage.setItem(SESSION_KEY, 'yes');
  } catch (error) {
    console.warn('No storage for this session:', error);
  }
}

/** 'Don't show again'. */
export function dismissForGood(): void {
  writeLocal('locationDismissed', 'yes');
}
