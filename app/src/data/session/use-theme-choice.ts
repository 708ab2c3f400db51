// The theme and the way to change it: on this device at once, and in the account for the next device.
import { useState } from 'react';
import { errorText } from '#/i18n/errors.ts';
import { getSession, saveOwnUser } from '#/data/session/session.ts';
import { chooseTheme, storedTheme, type ThemeChoice } from '#/ui/theme/theme.ts';
import { showToast } from '#/ui/toast.ts';

export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  // Where this device was told nothing, the account's choice is shown.
  const [choice, setChoice] = useState<ThemeChoice>(
    () => storedTheme() ?? getSession().user?.theme ?? 'system',
  );
  const choose = (next: ThemeChoice) => {
    chooseTheme(next);
    setChoice(next);
    if (getSession().status !== 'in') return;
    saveOwnUser({ theme: next === 'system' ? null : next }).catch((error: unknown) =>
      showToast(errorText(error), { kind: 'error' }),
    );
  };
  return [choice, choose];
}
