// The theme and language that a user chooses: applied on this device immediately, and saved in the account if there is one.
import { sessionReady, useSession } from '#/data/session/session.ts';
import { hasNoResponse, missingPart } from '#/i18n/errors.ts';
import { chooseLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { chooseTheme, type ThemeChoice, useChosenTheme } from '#/ui/theme/theme.ts';
import { showError } from '#/ui/toast.ts';
import type { Theme } from '../../../../shared/enums.ts';

type Appearance = { theme: Theme | null } | { language: Language };

/** Saves the choice in the account, later if offline. @throws {AppError} */
export type SaveAppearance = (appearance: Appearance) => Promise<unknown>;

export function useAppearance(saveAppearance: SaveAppearance) {
  const accountTheme = useSession().user?.theme;
  const save = (appearance: Appearance) =>
    void sessionReady()
      .then(({ status }) => (status === 'in' ? saveAppearance(appearance) : undefined))
      .catch(showError);
  return {
    // Without a choice on this device, the account's choice is shown.
    theme: useChosenTheme() ?? accountTheme ?? 'system',
    chooseTheme(theme: ThemeChoice) {
      chooseTheme(theme);
      save({ theme: theme === 'system' ? null : theme });
    },
    chooseLanguage(language: Language) {
      // The previous language stays if the new one cannot be loaded; only a missing network is announced.
      chooseLanguage(language)
        .then(() => save({ language }))
        .catch(async (error: unknown) => {
          console.error('The language could not be changed:', error);
          if (hasNoResponse(error)) showError(await missingPart(error));
        });
    },
  };
}
