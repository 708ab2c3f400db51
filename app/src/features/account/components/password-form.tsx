// A new password for the person who is logged in; it must differ from the old one.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { saveNewPassword } from '#/data/session/save-new-password.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { showPopup } from '#/ui/popup.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import { useFreshLogin } from './fresh-login.tsx';
import styles from './account.module.css';

export function PasswordForm() {
  const t = useT();
  const fresh = useFreshLogin();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);

  const save = async () => {
    if (password === '') {
      setError(t('auth.form.newPasswordMissing'));
      focusFirstProblem();
      return;
    }
    try {
      await fresh.run(() => saveNewPassword(password));
      setPassword('');
      showPopup({ kind: 'success', text: t('account.password.saved') });
    } catch (thrown) {
      setError(t(toAuthError(thrown).key));
      focusFirstProblem();
    }
  };

  const { busy, onSubmit } = useSubmit(save);

  return (
    <>
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={t('account.password.label')}
          type="password"
          dir="ltr"
          autoComplete="new-password"
          value={password}
          error={error}
          onChange={(event) => {
            setPassword(event.target.value);
            setError(null);
          }}
        />
        <Button type="submit" variant="secondary" busy={busy}>
          {t('account.password.save')}
        </Button>
      </form>
      {fresh.sheet}
    </>
  );
}
