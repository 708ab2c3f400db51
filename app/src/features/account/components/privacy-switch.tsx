// Hide me: out of the search, and my page only for friends and people I asked.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { saveOwnUser, useSession } from '#/data/session/session.ts';
import { Switch } from '#/ui/checkbox.tsx';
import { showToast } from '#/ui/toast.ts';

export function PrivacySwitch() {
  const t = useT();
  const { user } = useSession();
  // Shown at once, and taken back when the server refuses.
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <Switch
      label={t('account.privacy.hidden')}
      hint={t('account.privacy.hiddenHint')}
      checked={wanted ?? user?.hidden ?? false}
      disabled={!user}
      onChange={(hidden) => {
        setWanted(hidden);
        saveOwnUser({ hidden })
          .catch((error: unknown) => showToast(errorText(error), { kind: 'error' }))
          .finally(() => setWanted(null));
      }}
    />
  );
}
