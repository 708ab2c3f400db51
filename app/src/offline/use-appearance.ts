// Theme and language as a person chooses them: on this device at once, and in the account, without a network later.
import { getSession, useSession } from '#/data/session/session.ts';
import { chooseLanguage } from '#/i18n/i18n.ts';
import { isUnanswered } from '#/i18n/errors.ts';
import type { Language } from '#/i18n/languages.ts';
import { runNamed } from '#/offline/command-queue/run-named.ts';
import { chooseTheme, type ThemeChoice, useChosenTheme } from '#/ui/theme/theme.ts';
import { showError } from '#/ui/toast.ts';
import type { Theme } from '../../../shared/enums.ts';

async function save(appearance: { theme: Theme | null } | { language: Language }): Promise<void> {
  if (getSession().status !== 'in') return;
  await runNamed('save_appearance', appearance);
}

export function useAppearance() {
  const account = useSession().user?.theme;
  return {
    // Where this device was told nothing, the account's choice is shown.
    theme: useChosenTheme() ?? account ?? 'system',
    chooseTheme(theme: ThemeChoice) {
      chooseTheme(theme);
      save({ theme: theme === 'system' ? null : theme }).catch(showError);
    },
    chooseLanguage(language: Language) {
      // A failure is logged and the old one stays; that there is no network is said.
      chooseLanguage(language)
        .then(() => save({ language }).catch(showError))
        .catch((error: unknown) => {
          console.error('The language could not be changed:', error);
          if (isUnanswered(error)) showError(error);
        });
    },
  };
}
