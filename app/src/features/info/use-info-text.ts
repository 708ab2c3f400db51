// The long text of a page in the current language; suspends while its module is fetched.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type InfoPage, type InfoText, loadInfoText } from '#/features/info/info-text.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { AppError } from '#/core/app-error.ts';

const infoTextQueryOptions = (language: Language, page: InfoPage) =>
  queryOptions({
    queryKey: ['info', page, language],
    meta: { sameForAll: true },
    queryFn: () =>
      loadInfoText(language, page).catch((cause: unknown) => {
        throw new AppError('errors.offline', 503, { cause });
      }),
  });

export function useInfoText(page: InfoPage): InfoText {
  return useSuspenseQuery(infoTextQueryOptions(useLanguage(), page)).data;
}
