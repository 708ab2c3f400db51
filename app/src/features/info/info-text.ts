// The long text of a page in the current language: sections of paragraphs and lists, in one file per language and page.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { missingPart } from '#/i18n/errors.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';

export type InfoPage = 'about' | 'privacy' | 'terms' | 'accessibility' | 'delete-account';

/** A paragraph or a list. `[text](/path)` is a link; inline.ts defines the placeholders. */
export type InfoBlock = string | readonly string[];

interface InfoSection {
  /** The section's anchor, which is the same in all languages. */
  id: string;
  heading: string;
  body: readonly InfoBlock[];
}

export interface InfoText {
  title: string;
  lead: string;
  /** The date of the text, if the site provides one. */
  updated?: string;
  sections: readonly InfoSection[];
}

const modules = import.meta.glob<InfoText>('../../../../languages/*/info/*.json', {
  import: 'default',
});

/** Loads the text of a page. @throws if the module cannot be loaded */
export async function loadInfoText(language: Language, page: InfoPage): Promise<InfoText> {
  const load = modules[`../../../../languages/${language}/info/${page}.json`];
  if (!load) throw new Error(`No text for ${page} in ${language}`);
  return load();
}

async function siteText(language: Language, page: InfoPage): Promise<InfoText | undefined> {
  const { texts, siteUrl } = getConfig();
  if (!texts?.includes(page)) return undefined;
  const address = new URL('/site-texts.json', nativePlatform() ? siteUrl : location.href);
  const response = await fetch(address, { signal: AbortSignal.timeout(15_000) });
  return ((await response.json()) as Record<InfoPage, Record<Language, InfoText>>)[page][language];
}

const infoTextQueryOptions = (language: Language, page: InfoPage) =>
  queryOptions({
    queryKey: ['info', page, language],
    meta: { sameForAll: true },
    queryFn: async () => {
      try {
        return (await siteText(language, page)) ?? (await loadInfoText(language, page));
      } catch (cause) {
        throw await missingPart(cause);
      }
    },
  });

/** Suspends while the module is loading. */
export const useInfoText = (page: InfoPage): InfoText =>
  useSuspenseQuery(infoTextQueryOptions(useLanguage(), page)).data;
