// Reports a user to the moderators.
import { useState } from 'react';
import { reportUser, USER_REPORT_REASONS } from '#/features/users/commands/report-user.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { MAX_NOTE } from '#/entities/users/user-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import type { ReportReason } from '../../../../../shared/enums.ts';

const EMPTY = { reason: null as ReportReason | null, note: '' };

export function ReportUserSheet({ userId, onClose }: { userId: string; onClose: () => void }) {
  const t = useT();
  const form = useDraft(`report-user/${userId}`, EMPTY);
  const { reason, note } = form.draft;
  const [missing, setMissing] = useState(false);

  const { busy, onSubmit } = useSubmit(async () => {
    setMissing(!reason);
    if (!reason) return focusFirstProblem();
    await reportUser(userId, reason, note);
    showSuccess(t('ui.report.thanks'));
    form.drop();
    onClose();
  });

  return (
    <Sheet
      onClose={onClose}
      title={t('ui.report')}
      footer={
        <Button wide busy={busy} onClick={onSubmit}>
          {t('ui.report.send')}
        </Button>
      }
    >
      <div className="column-4">
        <DraftNote {...form} />
        <ChipGroup
          label={t('ui.report.reason')}
          options={USER_REPORT_REASONS.map((value) => ({
            value,
            label: t(value === 'fake' ? 'users.report.fake' : `ui.report.reason.${value}`),
          }))}
          value={reason}
          error={missing ? t('ui.report.reasonMissing') : null}
          onChange={(value) => {
            form.setDraft({ reason: value, note });
            setMissing(false);
          }}
        />
        <TextArea
          label={t('users.report.note')}
          optional
          maxLength={MAX_NOTE}
          value={note}
          onChange={(event) => form.setDraft({ reason, note: event.target.value })}
        />
      </div>
    </Sheet>
  );
}
