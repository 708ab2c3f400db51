// What a screen reader hears of changes that no toast tells; the toaster's status region speaks it.
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '#/core/store.ts';

interface Said {
  id: number;
  text: string;
}

/** A region that came just now, with a modal that opened or closed, is not listened to yet. */
const HEARD_AFTER_MS = 100;
/** What is replaced at once is not heard; what stays is met again by those who read the page. */
const STAYS_MS = 10_000;

const said = createStore<readonly Said[]>([]);
let lastId = 0;

export const useSaid = (): readonly Said[] => useStore(said);

export function say(text: string): void {
  lastId += 1;
  const id = lastId;
  setTimeout(() => said.set([...said.get(), { id, text }]), HEARD_AFTER_MS);
  setTimeout(() => said.set(said.get().filter((each) => each.id !== id)), STAYS_MS);
}

/** Says what a part has become, never what it shows at first. @param text translated; null while it is not known, '' for nothing */
export function useSay(text: string | null): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (text && before.current !== null && before.current !== text) say(text);
    before.current = text ?? before.current;
  }, [text]);
}
