// Asks for the password if the auth service requires a recent login, and then continues with the action.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { callAuth } from '#/data/session/auth-call.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';

interface Asking {
  goOn: () => void;
  giveUp: () => void;
}

/**
 * Returns `run`, which performs the action after checking the password if required, and `sheet`, which must be rendered next to the
 * form instead of inside it.
 */
export function useRecentLogin() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const run = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (toAuthError(error).key !== 'errors.reauthentication_needed') throw error;
      await new Promise<void>((goOn, reject) =>
        setAsking({ goOn, giveUp: () => reject(toAuthError(error)) }),
      ).finally(() => setAsking(null));
      return work();
    }
  };
  return { run, sheet: asking && <PasswordSheet {...asking} /> };
}

function PasswordSheet({ goOn, giveUp }: Asking) {
  const t = useT();
  const password = useOneField(async (value) => {
    await callAuth('reauthenticate', { password: value });
    goOn();
  });
  return (
    <Sheet onClose={giveUp} title={t('account.fresh.title')} size="small">
      <form noValidate className="column-4" onSubmit={password.onSubmit}>
        <p>{t('account.fresh.text')}</p>
        <TextField
          label={t('ui.password')}
          type="password"
          autoComplete="current-password"
          {...password.text}
        />
        <Button type="submit" wide busy={password.busy}>
          {t('account.fresh.confirm')}
        </Button>
      </form>
    </Sheet>
  );
}
