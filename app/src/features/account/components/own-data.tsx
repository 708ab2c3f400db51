// Downloads the user's data or deletes the account.
import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteAccount } from '#/features/account/commands/delete-account.ts';
import { exportData } from '#/features/account/commands/export-data.ts';
import { useT } from '#/i18n/i18n.ts';
import { useQueuedCommands } from '#/offline/command-queue/queued-commands.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { useTask } from '#/ui/use-task.ts';
import { useRecentLogin } from './recent-login.tsx';

export function OwnData({ userId }: { userId: string }) {
  const t = useT();
  const fresh = useRecentLogin();
  const navigate = useNavigate();
  const pending = useQueuedCommands().length;
  const [confirming, setConfirming] = useState(false);
  const { busy, run } = useTask<'export' | 'delete'>();
  return (
    <div className="wrap-2">
      <Button
        variant="secondary"
        icon={Download}
        busy={busy === 'export'}
        onClick={() => run('export', () => exportData(userId))}
      >
        {t('account.data.export')}
      </Button>
      <Button variant="quiet" icon={Trash2} onClick={() => setConfirming(true)}>
        {t('ui.deleteAccount')}
      </Button>
      <ConfirmSheet
        open={confirming}
        onClose={() => setConfirming(false)}
        danger
        busy={busy === 'delete'}
        title={t('account.delete.title')}
        text={[
          t('account.delete.text'),
          ...(pending > 0 ? [t('queuedCommands.delete.text', { count: pending })] : []),
        ].join(' ')}
        confirmLabel={t('account.delete.confirm')}
        onConfirm={() =>
          run('delete', async () => {
            await fresh.run(() => deleteAccount(userId));
            await navigate({ to: '/user-deleted', replace: true });
          })
        }
      />
      {fresh.sheet}
    </div>
  );
}
