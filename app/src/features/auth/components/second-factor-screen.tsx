// The password was right; the account also wants the code of its authenticator app.
import { enterSecondFactor } from '#/features/auth/commands/second-factor.ts';
import { useT } from '#/i18n/i18n.ts';
import { signOut } from '#/data/session/session.ts';
import { Button } from '#/ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CodeForm } from './code-form.tsx';

export function SecondFactorScreen() {
  const t = useT();
  return (
    <AuthFrame
      pose="sniffing"
      title={t('auth.secondFactor.title')}
      text={t('auth.secondFactor.text')}
    >
      <CodeForm onCode={enterSecondFactor} label={t('auth.secondFactor.confirm')}>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t('auth.secondFactor.cancel')}
        </Button>
      </CodeForm>
    </AuthFrame>
  );
}
