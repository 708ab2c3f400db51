// Replaces a screen that failed, with a variant for general errors, offline and not found. Contains a small game.
import { useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { reportError } from '#/features/shell/commands/report-errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { CenteredScreen } from '#/ui/centered-screen.tsx';
import { useTitle } from '#/ui/use-title.ts';
import { errorView } from '#/features/shell/error-variant.ts';
import { BoneGame } from './bone-game.tsx';

export interface ErrorScreenProps {
  error: unknown;
  /** Resets the router's error boundary. */
  reset?: () => void;
}

export function ErrorScreen({ error, reset }: ErrorScreenProps) {
  const t = useT();
  const router = useRouter();
  const view = errorView(error, useOnline());
  const message = t(view.message, view.values);
  useTitle(message);
  useEffect(() => reportError(error), [error]);
  const tryAgain = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <CenteredScreen>
      <p className="soft">{t('shell.error.problem')}</p>
      <h1>{t('shell.error.title', { message })}</h1>
      <p className="soft">{t(`shell.error.${view.variant}Text`)}</p>
      {view.values.id && <p className="soft">{t('errors.id', { id: view.values.id })}</p>}
      <BoneGame />
      <div className="wrap-2">
        {view.variant !== 'notFound' && (
          <Button icon={RotateCw} onClick={tryAgain}>
            {t('ui.failed.tryAgain')}
          </Button>
        )}
        <ButtonLink to="/" variant={view.variant === 'notFound' ? 'primary' : 'quiet'}>
          {t('ui.backToMap')}
        </ButtonLink>
      </div>
    </CenteredScreen>
  );
}
