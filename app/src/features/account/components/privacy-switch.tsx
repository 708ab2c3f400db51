// Hide me: out of the search, and my page only for friends and people I asked.
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/lib/errors.ts';
import { saveOwnUser, useSession } from '#/lib/session.ts';
import { Switch } from '#/ui/checkbox.tsx';
import { showToast } from '#/ui/toast.ts';

export function PrivacySwitch() {
  const t = useT();
  const { user } = useSession();
  return (
    <Switch
      label={t('account.privacy.hidden')}
      hint={t('account.privacy.hiddenHint')}
      checked={user?.hidden ?? false}
      disabled={!user}
      onChange={(hidden) => {
        saveOwnUser({ hidden }).catch((error: unknown) =>
          showToast(errorText(error), { kind: 'error' }),
        );
      }}
    />
  );
}
