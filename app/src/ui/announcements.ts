// Announcements for screen readers about changes that no toast shows, in the toaster's live region.
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '#/core/store.ts';
import { useLanguage } from '#/i18n/i18n.ts';

interface Announcement {
  id: number;
  text: string;
}

/** Screen readers ignore changes in a live region that was just inserted, for example with a modal, so wait this long. */
const DELAY_MS = 100;
/**
 * The message is removed after this time. If it were removed earlier it might not be read; if it stayed, it would be read again
 * with the page.
 */
const STAYS_MS = 10_000;

const announcements = createStore<readonly Announcement[]>([]);
let lastId = 0;

export const useAnnouncements = (): readonly Announcement[] => useStore(announcements);

export function announce(text: string): void {
  lastId += 1;
  const id = lastId;
  setTimeout(() => announcements.set([...announcements.get(), { id, text }]), DELAY_MS);
  setTimeout(
    () => announcements.set(announcements.get().filter((each) => each.id !== id)),
    STAYS_MS,
  );
}

/**
 * Announces changes of a text, but neither its first value nor its translation when the language changes.
 * @param text translated; null while it is unknown, '' for nothing
 * @param cause if it changes together with the text, nothing is announced, because another announcement covers that change
 */
export function useAnnounce(text: string | null, cause = ''): void {
  const silent = `${useLanguage()} ${cause}`;
  const before = useRef<{ text: string | null; silent: string }>({ text: null, silent });
  useEffect(() => {
    const last = before.current.silent === silent ? before.current.text : null;
    if (text && last !== null && last !== text) announce(text);
    before.current = { text: text ?? last, silent };
  }, [text, silent]);
}
