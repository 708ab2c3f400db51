// Deletes an account's drafts, and the secrets of messages from dogs' tags. This is a separate file, because it is loaded with the first screen.
export const draftKey = (userId: string | null, name: string): string =>
  `packpark-draft:${userId ?? ''}:${name}`;

export function clearDrafts(userId: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(draftKey(userId, '')) || key.startsWith('tag/'))
        localStorage.removeItem(key);
  } catch (error) {
    console.warn('Drafts cannot be deleted:', error);
  }
}
