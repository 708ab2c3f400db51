// Dog breeds: a stable key in the database, and a name in each language, loaded only when needed.
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES, type Language } from '#/i18n/languages.ts';

type BreedNames = Readonly<Record<string, string>>;

/** Always first in the list, because most dogs are mixed. */
const FIRST = ['mixed'];
const LAST = ['other'];

const loaders = import.meta.glob<BreedNames>('../../../../languages/*/breeds.json', {
  import: 'default',
});

async function loadBreeds(language: Language): Promise<BreedNames> {
  const load = loaders[`../../../../languages/${language}/breeds.json`];
  if (!load) throw new Error(`No breeds for ${language}`);
  return load();
}

export interface Breed {
  key: string;
  name: string;
}

/** Mixed, all breeds in alphabetical order, then Other; empty until the names have loaded. */
export function sortedBreeds(names: BreedNames, language: Language): Breed[] {
  const collator = new Intl.Collator(LANGUAGES[language].locale);
  const listed = Object.keys(names).filter((key) => !FIRST.includes(key) && !LAST.includes(key));
  listed.sort((a, b) => collator.compare(names[a] ?? a, names[b] ?? b));
  return [...FIRST, ...listed, ...LAST].flatMap((key) => {
    const name = names[key];
    return name === undefined ? [] : [{ key, name }];
  });
}

/** The name of a breed; empty until the names have loaded, never the key. */
export const breedName = (names: BreedNames, key: string): string =>
  names[key] ?? names.other ?? '';

/** Names by key in the current language; empty until they have loaded. */
export function useBreedNames(): BreedNames {
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['breeds', language],
    queryFn: () => loadBreeds(language),
    staleTime: Infinity,
  });
  return data ?? {};
}
