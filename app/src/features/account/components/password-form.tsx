// A new password for the person who is logged in; it must differ from the old one.
import { useT } from '#/i18n/i18n.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { saveNewPassword } from '#/data/session/save-new-password.ts';
import { Button } from '#/ui/button.tsx';
import { showPopup } from '#/ui/popup.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import { useFreshLogin } from './fresh-login.tsx';
import styles from './account.module.css';

export function PasswordForm() {
  const t = useT();
  const fresh = useFreshLogin();
  const password = useOneField();

  const save = async () => {
    if (password.value === '') return password.refuse(t('auth.form.newPasswordMissing'));
    try {
      await fresh.run(() => saveNewPassword(password.value));
      password.clear();
      showPopup({ kind: 'success', text: t('auth.updatePassword.saved') });
    } catch (thrown) {
      password.refuse(t(toAuthError(thrown).key));
    }
  };

  const { busy, onSubmit } = useSubmit(save);

  return (
    <>
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={t('auth.updatePassword.title')}
          type="password"
          dir="ltr"
          autoComplete="new-password"
          {...password.text}
        />
        <Button type="submit" variant="secondary" busy={busy}>
          {t('account.password.save')}
        </Button>
      </form>
      {fresh.sheet}
    </>
  );
}
