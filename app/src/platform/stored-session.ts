// The session that this device keeps, readable without waiting: local storage on the web, a copy in memory inside a shell.
import { nativePlatform } from '#/platform/native.ts';
import { SESSION_KEY, stored } from '#/platform/session-copy.ts';

/** In a shell the secure storage answers later; undefined on the web, where there is nothing to wait for. */
export function readStoredSession(): Promise<void> | undefined {
  if (!nativePlatform()) return undefined;
  return import('#/platform/native-session-storage.ts').then(async ({ deviceStorage }) => {
    await deviceStorage.getItem(SESSION_KEY);
  });
}

/** The text that the client stored, or null; in a shell, null before `readStoredSession` has. */
export function storedSessionText(): string | null {
  if (nativePlatform()) return stored.get(SESSION_KEY) ?? null;
  try {
    return localStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

export async function forgetStoredSession(): Promise<void> {
  if (nativePlatform())
    await import('#/platform/native-session-storage.ts').then(({ deviceStorage }) =>
      deviceStorage.removeItem(SESSION_KEY),
    );
  else localStorage.removeItem(SESSION_KEY);
}
