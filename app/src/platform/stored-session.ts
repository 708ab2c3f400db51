// Synchronous access to the stored session: local storage on the web, a copy in memory in native apps.
import { nativePlatform } from '#/platform/native.ts';
import { SESSION_KEY, stored } from '#/platform/session-copy.ts';

/** Native apps read the secure storage asynchronously; undefined on the web, which has nothing to wait for. */
export function readStoredSession(): Promise<void> | undefined {
  if (!nativePlatform()) return undefined;
  return import('#/platform/native-session-storage.ts').then(async ({ deviceStorage }) => {
    await deviceStorage.getItem(SESSION_KEY);
  });
}

/** The client's stored JSON, or null; in native apps also null before `readStoredSession` has resolved. */
export function storedSessionText(): string | null {
  if (nativePlatform()) return stored.get(SESSION_KEY) ?? null;
  try {
    return localStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

export async function clearStoredSession(): Promise<void> {
  if (nativePlatform())
    await import('#/platform/native-session-storage.ts').then(({ deviceStorage }) =>
      deviceStorage.removeItem(SESSION_KEY),
    );
  else localStorage.removeItem(SESSION_KEY);
}
