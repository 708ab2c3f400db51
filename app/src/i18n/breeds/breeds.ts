// The breeds a dog can have: a stable key in the database, a name in each language, downloaded only where breeds are shown.
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES, type Language } from '#/i18n/languages.ts';

type BreedNames = Readonly<Record<string, string>>;

/** Most dogs are mixed: it stands first in every list, and what is left last. */
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

/** Mixed, all breeds in the order of the language's alphabet, then Other; none before the names are here. */
export function sortedBreeds(names: BreedNames, language: Language): Breed[] {
  const collator = new Intl.Collator(LANGUAGES[language].locale);
  const listed = Object.keys(names).filter((key) => !FIRST.includes(key) && !LAST.includes(key));
  listed.sort((a, b) => collator.compare(names[a] ?? a, names[b] ?? b));
  return [...FIRST, ...listed, ...LAST].flatMap((key) => {
    const name = names[key];
    return name === undefined ? [] : [{ key, name }];
  });
}

/** What to show for a dog's breed: nothing before the names are here, never a bare key. */
export const breedName = (names: BreedNames, key: string): string =>
  names[key] ?? names.other ?? '';

/** Names by key, in the current language; empty until they are here. */
export function useBreedNames(): BreedNames {
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['breeds', language],
    queryFn: () => loadBreeds(language),
    staleTime: Infinity,
  });
  return data ?? {};
}
