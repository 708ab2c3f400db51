// Logs out. Unsent commands are deleted with the session, so the user is warned about them first.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { signOut, type SignOutScope } from '#/data/session/session.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';

/** @param onDone called when the user has confirmed, before the session ends */
export function useLogOut(onDone?: () => void) {
  const t = useT();
  const [prompt, setPrompt] = useState<{ scope: SignOutScope; unsent: number } | null>(null);

  const logOut = (scope: SignOutScope) => {
    setPrompt(null);
    onDone?.();
    signOut(scope).then(() => showSuccess(t('session.loggedOut')), showError);
  };
  /** Logs out immediately, or asks for confirmation if there are unsent commands. */
  const ask = async (scope: SignOutScope) => {
    const unsent = await import('#/offline/command-queue/queue.ts')
      .then(({ commandQueue }) => commandQueue.count())
      .catch(() => 0);
    if (unsent > 0) setPrompt({ scope, unsent });
    else logOut(scope);
  };
  const sheet = prompt && (
    <ConfirmSheet
      open
      danger
      onClose={() => {
        setPrompt(null);
        onDone?.();
      }}
      title={t('queuedCommands.logout.title')}
      text={t('queuedCommands.logout.text', { count: prompt.unsent })}
      confirmLabel={t('queuedCommands.logout.confirm')}
      onConfirm={() => logOut(prompt.scope)}
    />
  );
  return { ask, sheet };
}
