// The screen after a mail was sent. The user opens its link, enters its code here, or requests another mail.
import { Hourglass, MailOpen } from 'lucide-react';
import { enterMailCode, requestReset, resendConfirmation } from '#/features/auth/commands/mails.ts';
import { useMailIsLate } from '#/features/auth/queries/mail-is-late.ts';
import type { MailSent } from '#/features/auth/mail-sent.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { RichText } from '#/ui/rich-text.tsx';
import { showProblem, showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CodeForm } from './code-form.tsx';
import { useCaptcha } from './use-captcha.tsx';
import styles from './form.module.css';

interface MailSentScreenProps extends MailSent {
  onEntered: () => void;
  onBack: () => void;
}

export function MailSentScreen({ email, type, onEntered, onBack }: MailSentScreenProps) {
  const t = useT();
  const captcha = useCaptcha();
  const isLate = useMailIsLate();

  const { busy, onSubmit } = useSubmit(async () => {
    if (captcha.missing) return void showProblem(t('auth.captcha.missing'));
    try {
      await (type === 'signup' ? resendConfirmation : requestReset)(email, captcha.answer);
      showSuccess(t('auth.mail.sentAgain'));
    } finally {
      captcha.spend();
    }
  });

  return (
    <AuthFrame
      pose="playing"
      title={t('auth.mail.title')}
      text={
        <RichText
          text={t(type === 'signup' ? 'auth.mail.signupText' : 'auth.mail.recoveryText', { email })}
          tags={{ email: (content) => <bdi>{content}</bdi> }}
        />
      }
    >
      <div role="status">
        {isLate && (
          <p className={styles.late}>
            <Icon of={Hourglass} />
            <span>{t('auth.mail.late')}</span>
          </p>
        )}
      </div>
      <CodeForm
        label={t('ui.confirm.confirm')}
        onCode={async (code) => {
          await enterMailCode(email, code, type);
          onEntered();
        }}
      >
        {captcha.widget}
        <p className={styles.row}>
          <Button variant="quiet" icon={MailOpen} busy={busy} onClick={onSubmit}>
            {t('auth.mail.again')}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {t('ui.header.back')}
          </Button>
        </p>
      </CodeForm>
    </AuthFrame>
  );
}
