// Unsent input on this device: saved for an account until logout, and for a visitor until the tab is closed.
import { draftKey } from '#/entities/drafts/clear-drafts.ts';

/** Ignores errors, because the storage may be full or blocked. */
function tryStore<Result>(userId: string | null, act: (store: Storage) => Result): Result | null {
  try {
    return act(userId === null ? sessionStorage : localStorage);
  } catch (error) {
    console.warn('Drafts cannot be saved:', error);
    return null;
  }
}

export const readDraft = (userId: string | null, name: string): unknown =>
  tryStore(userId, (store) => {
    const text = store.getItem(draftKey(userId, name));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  });

/** Saves or deletes a draft. @param draft null to delete it @returns true if it was saved */
export function writeDraft(userId: string | null, name: string, draft: unknown): boolean {
  const key = draftKey(userId, name);
  const isSaved = tryStore(userId, (store) => {
    if (draft === null) store.removeItem(key);
    else store.setItem(key, JSON.stringify(draft));
    return true;
  });
  return isSaved ?? false;
}

/**
 * Resets fields that an older version of the app stored in another format.
 * @param shape the empty form, whose types are expected
 */
export function fitting<Draft>(shape: Draft, stored: unknown, initial = shape): Draft {
  if (shape === null) return stored === undefined ? initial : (stored as Draft);
  if (typeof stored !== typeof shape || stored === null) return initial;
  if (Array.isArray(stored) !== Array.isArray(shape)) return initial;
  if (typeof shape !== 'object' || Array.isArray(shape)) return stored as Draft;
  const fields = stored as Record<string, unknown>;
  const fitted = Object.entries(shape).map(([name, empty]) => [
    name,
    fitting<unknown>(empty, fields[name], (initial as Record<string, unknown>)[name]),
  ]);
  return { ...fields, ...(Object.fromEntries(fitted) as object) } as Draft;
}
