// The texts of the current language: loads its catalogue, keeps <html lang dir> in step, and gives t() to React and others.
import { isolateOthers } from '#/i18n/isolate.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#/i18n/languages.ts';
import type english from '../../../languages/en/app.json';
import { siteLanguages } from '#/platform/config.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { seenLooks } from '#/platform/seen-looks.ts';
import { createStore, useStore } from '#/core/store.ts';

export type MessageKey = keyof typeof english;
export type MessageArguments = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: MessageArguments) => string;

export type Catalogue = Record<string, (values: MessageArguments) => string>;

// vite/catalogues.ts compiles what these import; each becomes a chunk of its own.
const FOLDER = '../../../languages';
const first = import.meta.glob<Catalogue>('../../../languages/*/app.json', {
  query: '?catalogue',
  import: 'default',
});
const others = import.meta.glob<Catalogue>('../../../languages/*/app.json', {
  query: '?later',
  import: 'default',
});

async function load(from: typeof first, language: Language): Promise<Catalogue> {
  const found = from[`${FOLDER}/${language}/app.json`];
  if (!found) throw new Error(`No texts in ${language}`);
  return found();
}

interface State {
  language: Language;
  t: Translate;
}

const state = createStore<State>({ language: DEFAULT_LANGUAGE, t: (key) => key });
let texts: Catalogue = {};
let started = false;
let later: Promise<void> | undefined;

export const offeredLanguages = (): Language[] =>
  (siteLanguages() ?? Object.keys(LANGUAGES)) as Language[];

/** True for one that is offered; anything else is ignored, never an error. */
export const isLanguage = (value: unknown): value is Language =>
  offeredLanguages().includes(value as Language);

/** The stored language, else the account's, else the browser's first that is offered, else the site's default. */
export const preferredLanguage = (): Language =>
  [
    readLocal('language'),
    seenLooks()?.language,
    ...navigator.languages.map((tag) => tag.slice(0, 2)),
    ...offeredLanguages(),
  ].find(isLanguage) ?? DEFAULT_LANGUAGE;

/** Loads a language's catalogue and switches to it. Throws when the catalogue cannot be loaded; the old language then stays. */
export async function loadLanguage(language: Language): Promise<void> {
  // At the start, loaders already ask for data in this language while its texts are on their way.
  if (!started) state.set({ ...state.get(), language });
  started = true;
  const catalogue = await load(first, language);
  const more = later && (await fetchLater(language));
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  setTexts(language, { ...catalogue, ...more });
}

const fetchLater = (language: Language): Promise<Catalogue> =>
  load(others, language).catch((error: unknown) => {
    later = undefined;
    // Most of a screen can be read without them.
    console.warn('Texts are missing:', error);
    return {};
  });

async function addLaterTexts(): Promise<void> {
  const { language } = state.get();
  const more = await fetchLater(language);
  if (state.get().language !== language) return addLaterTexts();
  setTexts(language, { ...texts, ...more });
}

/** Loads the texts that the home map does without; from then on also those of a language that is chosen. */
export const loadLaterTexts = (): Promise<void> => (later ??= addLaterTexts());

export function setTexts(language: Language, catalogue: Catalogue): void {
  const { direction } = LANGUAGES[language];
  texts = catalogue;
  const t: Translate = (key, values) =>
    catalogue[key]?.(values ? isolateOthers(values, direction) : {}) ?? key;
  state.set({ language, t });
}

/** Whether the catalogues have a text of this key, for keys that are made from the server's codes. */
export const hasText = (key: string): key is MessageKey => Object.hasOwn(texts, key);

/** Switches and remembers. A failure is the caller's to log: the old language stays. */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  writeLocal('language', language);
}

export function followLanguage(): void {
  addEventListener('storage', ({ key }) => {
    if (key === 'language')
      loadLanguage(preferredLanguage()).catch((error: unknown) =>
        console.warn('The language could not be followed:', error),
      );
  });
}

/** For code outside React; inside components use `useT`, which renders again after a switch. */
export const translate: Translate = (key, values) => state.get().t(key, values);

export const currentLanguage = (): Language => state.get().language;

export const useT = (): Translate => useStore(state).t;

export const useLanguage = (): Language => useStore(state).language;

export const useLocale = (): string => LANGUAGES[useLanguage()].locale;
