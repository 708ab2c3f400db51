// Messages in the current language: loads the catalogue, updates <html lang dir>, and provides t() to React and other code.
import { isolateOthers } from '#/i18n/isolate.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#/i18n/languages.ts';
import type english from '../../../languages/en/app.json';
import { siteLanguages } from '#/platform/config.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { storedAccountAppearance } from '#/platform/account-appearance.ts';
import { createStore, useStore } from '#/core/store.ts';

export type MessageKey = keyof typeof english;
export type MessageArguments = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: MessageArguments) => string;

export type Catalogue = Record<string, (values: MessageArguments) => string>;

// vite/catalogues.ts compiles these imports, and each becomes a separate chunk.
const FOLDER = '../../../languages';
const first = import.meta.glob<Catalogue>('../../../languages/*/app.json', {
  query: '?catalogue',
  import: 'default',
});
const others = import.meta.glob<Catalogue>('../../../languages/*/app.json', {
  query: '?lazy',
  import: 'default',
});

/** Loads a part of a language's catalogue; every language has both parts. @throws if it cannot be loaded */
const load = async (from: typeof first, language: Language): Promise<Catalogue> =>
  (await from[`${FOLDER}/${language}/app.json`]?.()) ?? {};

interface State {
  language: Language;
  t: Translate;
}

const state = createStore<State>({ language: DEFAULT_LANGUAGE, t: (key) => key });
let texts: Catalogue = {};
let started = false;
let lazy: Promise<void> | undefined;

export const offeredLanguages = (): Language[] =>
  (siteLanguages() ?? Object.keys(LANGUAGES)) as Language[];

/** True for offered languages; other values are ignored without an error. */
export const isLanguage = (value: unknown): value is Language =>
  offeredLanguages().includes(value as Language);

/** The stored language; otherwise the account's, the first offered one in the browser's list, or the site's default. */
export const preferredLanguage = (): Language =>
  [
    readLocal('language'),
    storedAccountAppearance()?.language,
    ...navigator.languages.map((tag) => tag.slice(0, 2)),
    ...offeredLanguages(),
  ].find(isLanguage) ?? DEFAULT_LANGUAGE;

/** Loads a language's catalogue and switches to it. @throws if it cannot be loaded; the language then stays the same */
export async function loadLanguage(language: Language): Promise<void> {
  // Set the language before its catalogue has loaded, because at start-up the loaders already fetch data in this language.
  if (!started) state.set({ ...state.get(), language });
  started = true;
  const catalogue = await load(first, language);
  const more = lazy && (await fetchLazyMessages(language));
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  setTexts(language, { ...catalogue, ...more });
}

const fetchLazyMessages = (language: Language): Promise<Catalogue> =>
  load(others, language).catch((error: unknown) => {
    lazy = undefined;
    // Continue without these messages, because most of a screen is readable without them.
    console.warn('Messages are missing:', error);
    return {};
  });

async function addLazyMessages(): Promise<void> {
  const { language } = state.get();
  const more = await fetchLazyMessages(language);
  if (state.get().language !== language) return addLazyMessages();
  setTexts(language, { ...texts, ...more });
}

/** Loads the messages that the home map does not need, and from then on loads them with every language switch. */
export const loadLazyMessages = (): Promise<void> => (lazy ??= addLazyMessages());

export function setTexts(language: Language, catalogue: Catalogue): void {
  const { direction } = LANGUAGES[language];
  texts = catalogue;
  const t: Translate = (key, values) =>
    catalogue[key]?.(values ? isolateOthers(values, direction) : {}) ?? key;
  state.set({ language, t });
}

/** Checks a key built from a code of the server, which may have no message. */
export const hasText = (key: string): key is MessageKey => Object.hasOwn(texts, key);

/** Switches the language and stores the choice. The caller logs failures; the language then stays the same. */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  writeLocal('language', language);
}

export function followLanguage(): void {
  addEventListener('storage', ({ key }) => {
    if (key === 'language')
      loadLanguage(preferredLanguage()).catch((error: unknown) =>
        console.warn('Messages are missing:', error),
      );
  });
}

/** For code outside React. Components use `useT`, which re-renders after a language switch. */
export const translate: Translate = (key, values) => state.get().t(key, values);

export const currentLanguage = (): Language => state.get().language;

export const useT = (): Translate => useStore(state).t;

export const useLanguage = (): Language => useStore(state).language;

export const useLocale = (): string => LANGUAGES[useLanguage()].locale;
