// Applies the account's theme and language on a device where none was chosen yet, and follows what is chosen elsewhere.
import { useEffect, useRef } from 'react';
import { chooseLanguage, currentLanguage, loadLanguage } from '#/i18n/i18n.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { queryClient } from '#/data/query-client.ts';
import { type OwnUser, saveOwnUser, useSession } from '#/data/session/session.ts';
import { chooseTheme, showTheme, storedTheme } from '#/ui/theme/theme.ts';

/** An account this young was made a moment ago, on this device. */
const NEW_MS = 10 * 60_000;

/** A signup by a provider has no language: then the account gets that of the screen, for its notifications. */
async function alignLanguage(user: OwnUser): Promise<void> {
  const language = currentLanguage();
  if (user.language === language) return;
  if (Date.now() - Date.parse(user.created_at) < NEW_MS) await saveOwnUser({ language });
  else if (readLocal('language') === null) await loadLanguage(user.language);
}

export function useAccountAppearance(): void {
  const { user } = useSession();
  const id = user?.id;
  useEffect(() => {
    if (!user) return;
    if (user.theme && !storedTheme()) showTheme(user.theme);
    alignLanguage(user).catch((error: unknown) =>
      console.warn("The account's language could not be used:", error),
    );
    // Once for each person: what they choose later stands.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  // What another device of theirs chooses while this one is open counts here, too.
  const before = useRef(user);
  useEffect(() => {
    const { current: was } = before;
    before.current = user;
    if (!user || was?.id !== user.id) return;
    if (was.theme !== user.theme) chooseTheme(user.theme ?? 'system');
    if (was.language === user.language) return;
    if (user.language !== currentLanguage())
      chooseLanguage(user.language).catch((error: unknown) =>
        console.warn('The language could not be followed:', error),
      );
    // Names of parks and notifications come in the account's language.
    void queryClient.invalidateQueries();
  }, [user]);
}
