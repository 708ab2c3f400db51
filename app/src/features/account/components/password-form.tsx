// Sets a new password for the logged-in user; it must differ from the old one.
import { useT } from '#/i18n/i18n.ts';
import { saveNewPassword } from '#/data/session/auth-call.ts';
import { Button } from '#/ui/button.tsx';
import { showPopup } from '#/ui/popup.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';
import { useRecentLogin } from './recent-login.tsx';

export function PasswordForm() {
  const t = useT();
  const fresh = useRecentLogin();
  const password = useOneField(async (value, { reject, clear }) => {
    if (value === '') return reject(t('auth.form.newPasswordMissing'));
    await fresh.run(() => saveNewPassword(value));
    clear();
    showPopup({ type: 'success', text: t('auth.updatePassword.saved') });
  });
  return (
    <>
      <form noValidate className="column-4" onSubmit={password.onSubmit}>
        <TextField
          label={t('auth.updatePassword.title')}
          type="password"
          autoComplete="new-password"
          {...password.text}
        />
        <Button type="submit" variant="secondary" busy={password.busy}>
          {t('account.password.save')}
        </Button>
      </form>
      {fresh.sheet}
    </>
  );
}
