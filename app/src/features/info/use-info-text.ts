// The long text of a page in the current language; suspends while its module is fetched.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type InfoPage, type InfoText, loadInfoText } from '#/features/info/info-text.ts';
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { AppError } from '#/core/app-error.ts';

async function siteText(language: Language, page: InfoPage): Promise<InfoText | undefined> {
  const { texts, siteUrl } = getConfig();
  if (!texts?.includes(page)) return undefined;
  const address = new URL('/site-texts.json', nativePlatform() ? siteUrl : location.href);
  const answer = await fetch(address, { signal: AbortSignal.timeout(15_000) });
  return ((await answer.json()) as Record<InfoPage, Record<Language, InfoText>>)[page][language];
}

const infoTextQueryOptions = (language: Language, page: InfoPage) =>
  queryOptions({
    queryKey: ['info', page, language],
    meta: { sameForAll: true },
    queryFn: async () => {
      try {
        return (await siteText(language, page)) ?? (await loadInfoText(language, page));
      } catch (cause) {
        throw new AppError('errors.offline', 503, { cause });
      }
    },
  });

export const useInfoText = (page: InfoPage): InfoText =>
  useSuspenseQuery(infoTextQueryOptions(useLanguage(), page)).data;
