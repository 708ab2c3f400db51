// The desk's messages. They are separate files, because few users need them.
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Language } from '#/i18n/languages.ts';
import type english from '../../../../languages/en/desk.json';

export { fill } from '../../../../shared/fill.ts';

export type DeskText = typeof english;

const modules = import.meta.glob<DeskText>('../../../../languages/*/desk.json', {
  import: 'default',
});

async function loadDeskText(language: Language): Promise<DeskText> {
  const load = modules[`../../../../languages/${language}/desk.json`];
  if (!load) throw new Error(`No text of the desk in ${language}`);
  return load();
}

/** The query rejects if the file cannot be fetched. */
export const deskTextQueryOptions = (language: Language) =>
  queryOptions({
    queryKey: ['desk-text', language],
    queryFn: () => loadDeskText(language),
    meta: { sameForAll: true },
    staleTime: Infinity,
  });

/** Provides the messages, which are loaded before the desk is rendered. */
export const DeskTextContext = createContext<DeskText | null>(null);

/** @throws outside of the desk */
export function useDeskText(): DeskText {
  const found = use(DeskTextContext);
  if (!found) throw new Error('The desk has no texts here');
  return found;
}

/** Returns the message of a key from the server, or the key if this version of the app has no message for it. */
export const textOf = (texts: object, key: string): string =>
  (texts as Record<string, string>)[key] ?? key;
