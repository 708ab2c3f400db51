// Announcements for screen readers about changes that no toast shows, in the toaster's live region.
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '#/core/store.ts';

interface Announcement {
  id: number;
  text: string;
}

/** Screen readers ignore a live region that was just inserted, for example with a modal. */
const DELAY_MS = 100;
/** A message that is replaced too early is not read; one that stays is read again with the page. */
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

/** Announces changes of a text, but not its first value. @param text translated; null while it is unknown, '' for nothing */
export function useAnnounce(text: string | null): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (text && before.current !== null && before.current !== text) announce(text);
    before.current = text ?? before.current;
  }, [text]);
}
