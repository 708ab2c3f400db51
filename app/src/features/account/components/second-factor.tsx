// Enables the second factor in steps (scan the QR code, enter the code, save the recovery codes) and disables it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  confirmEnrolment,
  enrol,
  type Enrolment,
  factorsQueryOptions,
  makeRecoveryCodes,
  removeFactor,
} from '#/features/account/commands/second-factor.ts';
import { deskRoleKey } from '#/data/session/own-keys.ts';
import { useSession } from '#/data/session/session.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { CODE_LENGTH, CodeField } from '#/ui/code-field.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { QrCode } from '#/ui/qr-code.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useOneField } from '#/ui/use-one-field.ts';
import { useTask } from '#/ui/use-task.ts';
import { useRecentLogin } from './recent-login.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './account.module.css';

export function SecondFactor() {
  const t = useT();
  const { data: factors, error, refetch } = useQuery(factorsQueryOptions());
  const fresh = useRecentLogin();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [removing, setRemoving] = useState(false);
  const task = useTask<'add' | 'codes' | 'remove'>();
  const busy = task.busy !== null;
  const renewCodes = () =>
    task.run('codes', async () => setCodes(await fresh.run(makeRecoveryCodes)));
  if (!factors) return <Loading error={error} refetch={refetch} height="3rem" />;
  const factorId = factors[0];
  return (
    <>
      <p className="soft">{t(factorId ? 'account.factor.on' : 'account.factor.off')}</p>
      {factorId ? (
        <>
          <Button variant="secondary" busy={busy} onClick={renewCodes}>
            {t('account.factor.codesNew')}
          </Button>
          <Button variant="secondary" onClick={() => setRemoving(true)}>
            {t('ui.turnOff')}
          </Button>
        </>
      ) : (
        <Button
          variant="secondary"
          busy={busy}
          onClick={() => task.run('add', async () => setEnrolment(await fresh.run(enrol)))}
        >
          {t('ui.turnOn')}
        </Button>
      )}
      {enrolment && (
        <EnrolSheet
          enrolment={enrolment}
          onClose={() => setEnrolment(null)}
          onDone={() => {
            setEnrolment(null);
            showSuccess(t('account.factor.added'));
            void refetch();
            renewCodes();
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {fresh.sheet}
      <ConfirmSheet
        open={removing}
        onClose={() => setRemoving(false)}
        danger
        busy={busy}
        title={t('account.factor.removeTitle')}
        text={t('account.factor.removeText')}
        confirmLabel={t('ui.turnOff')}
        onConfirm={() =>
          task.run('remove', async () => {
            setRemoving(false);
            if (factorId) await fresh.run(() => removeFactor(factorId));
            await refetch();
          })
        }
      />
    </>
  );
}

interface EnrolSheetProps {
  enrolment: Enrolment;
  onClose: () => void;
  onDone: () => void;
}

function EnrolSheet({ enrolment, onClose, onDone }: EnrolSheetProps) {
  const t = useT();
  const client = useQueryClient();
  const { userId } = useSession();
  const code = useOneField(async (value, { reject }) => {
    if (value.length < CODE_LENGTH) return reject(t('ui.code.missing'));
    await confirmEnrolment(enrolment.factorId, value);
    // The access to the desk depends on the second factor, so refetch the role.
    await client.invalidateQueries({ queryKey: deskRoleKey(userId) });
    onDone();
  });
  return (
    <Sheet open onClose={onClose} title={t('account.settings.factor')} size="small">
      <form noValidate className="column-4" onSubmit={code.onSubmit}>
        <p>{t('account.factor.scan')}</p>
        <QrCode text={enrolment.address} label={t('account.factor.qr')} />
        <p className={styles.secret}>
          {t('account.factor.byHand')} <code dir="ltr">{enrolment.secret}</code>
        </p>
        <CodeField {...code.code} />
        <Button type="submit" wide busy={code.busy}>
          {t('ui.confirm.confirm')}
        </Button>
      </form>
    </Sheet>
  );
}
