// The desk's messages, in one file per language outside the catalogues, because few users need them.
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

/** Rejects if the module cannot be fetched. */
export const deskTextQueryOptions = (language: Language) =>
  queryOptions({
    queryKey: ['desk-text', language],
    queryFn: () => loadDeskText(language),
    meta: { sameForAll: true },
    staleTime: Infinity,
  });

/** The messages are loaded before anything of the desk is rendered. */
export const DeskTextContext = createContext<DeskText | null>(null);

/** @throws outside of the desk */
export function useDeskText(): DeskText {
  const found = use(DeskTextContext);
  if (!found) throw new Error('The desk has no texts here');
  return found;
}

/** The message of a key from the server. If this version of the app has none, the key itself. */
export const textOf = (texts: object, key: string): string =>
  (texts as Record<string, string>)[key] ?? key;
