// The theme and the way to change it: on this device at once, and in the account for the next device.
import { useState } from 'react';
import { errorText } from '#/i18n/errors.ts';
import { getSession, saveOwnUser } from '#/data/session/session.ts';
import { chooseTheme, currentTheme, type Theme } from '#/ui/theme/theme.ts';
import { showToast } from '#/ui/toast.ts';

export function useThemeChoice(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
    if (getSession().status !== 'in') return;
    saveOwnUser({ theme: next }).catch((error: unknown) =>
      showToast(errorText(error), { kind: 'error' }),
    );
  };
  return [theme, choose];
}
