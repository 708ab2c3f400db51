// Applies the account's theme and language on a device without its own choice, and follows changes made on other devices.
import { useEffect, useRef } from 'react';
import { chooseLanguage, currentLanguage, loadLanguage } from '#/i18n/i18n.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { saveAccountAppearance, storedAccountAppearance } from '#/platform/account-appearance.ts';
import { queryClient } from '#/data/query-client.ts';
import { type OwnUser, saveOwnUser, useSession } from '#/data/session/session.ts';
import { chooseTheme, showTheme, storedTheme } from '#/ui/theme/theme.ts';

/** A younger account counts as just created on this device. */
const NEW_MS = 10 * 60_000;

/** Signup with a provider sets no language, so save the current language for the account's notifications. */
async function alignLanguage(user: OwnUser): Promise<void> {
  const language = currentLanguage();
  if (user.language === language) return;
  if (Date.now() - Date.parse(user.created_at) < NEW_MS) await saveOwnUser({ language });
  else if (readLocal('language') === null) await loadLanguage(user.language);
}

export function useAccountAppearance(): void {
  const { user } = useSession();
  const seen = useRef<Pick<OwnUser, 'id' | 'theme' | 'language'> | null>(null);
  useEffect(() => {
    if (!user) return;
    const { id, theme, language } = user;
    const isStart = seen.current?.id !== id;
    const last = isStart ? storedAccountAppearance() : seen.current;
    const before = last?.id === id ? last : null;
    seen.current = { id, theme, language };
    saveAccountAppearance(seen.current);

    // While the second of two quick changes is being saved, the server may return the first one, so ignore the response.
    const isChoosing = queryClient.isMutating({ mutationKey: ['save_appearance'] }) > 0;
    if (before && !isChoosing && before.theme !== theme) chooseTheme(theme ?? 'system');
    else if (isStart && theme && !storedTheme()) showTheme(theme);
    const failed = (error: unknown) =>
      console.warn("The account's language could not be used:", error);
    if (before && before.language !== language) {
      if (language !== currentLanguage() && !isChoosing) chooseLanguage(language).catch(failed);
      // Refetch all queries, because park names and notifications are in the account's language.
      void queryClient.invalidateQueries();
    } else if (isStart) alignLanguage(user).catch(failed);
  }, [user]);
}
