// Asks for the code of the authenticator app or a recovery code, after the password was correct.
import { useState } from 'react';
import { enterRecoveryCode } from '#/features/auth/commands/sign-in.ts';
import { verifyFactor } from '#/data/session/auth-call.ts';
import { useT } from '#/i18n/i18n.ts';
import { signOut } from '#/data/session/session.ts';
import { Button } from '#/ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CodeForm } from './code-form.tsx';

export function SecondFactorScreen() {
  const t = useT();
  const [recovering, setRecovering] = useState(false);
  return (
    <AuthFrame
      pose="sniffing"
      title={t('auth.secondFactor.title')}
      text={t(recovering ? 'auth.secondFactor.recoveryText' : 'auth.secondFactor.text')}
    >
      <CodeForm
        key={String(recovering)}
        onCode={recovering ? enterRecoveryCode : verifyFactor}
        label={t('ui.confirm.confirm')}
        {...(recovering && { textLabel: t('auth.secondFactor.recoveryCode') })}
      >
        <Button variant="quiet" onClick={() => setRecovering(!recovering)}>
          {t(recovering ? 'auth.secondFactor.byApp' : 'auth.secondFactor.byRecoveryCode')}
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t('ui.confirm.cancel')}
        </Button>
      </CodeForm>
    </AuthFrame>
  );
}
