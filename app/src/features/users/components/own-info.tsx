// A form for the user's own name.
import { useState } from 'react';
import * as v from 'valibot';
import { useT } from '#/i18n/i18n.ts';
import { toAppError } from '#/i18n/errors.ts';
import { withAge } from '#/data/session/age-prompt.ts';
import { notifyTabs } from '#/data/tab-sync.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { MAX_NAME } from '#/entities/users/user-limits.ts';
import { ownUserKey } from '#/data/session/own-keys.ts';
import { saveOwnUser, useSession } from '#/data/session/session.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import styles from './own-info.module.css';

const nameInput = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_NAME));

export function OwnInfo({ name }: { name: string }) {
  const t = useT();
  const { email, userId } = useSession();
  const form = useDraft('name', name);
  const [missing, setMissing] = useState(false);

  const save = async () => {
    const checked = v.safeParse(nameInput, form.draft);
    setMissing(!checked.success);
    if (!checked.success) return focusFirstProblem();
    await withAge(() =>
      saveOwnUser({ name: checked.output }).catch((error: unknown) => {
        throw toAppError(error);
      }),
    );
    form.setDraft(checked.output);
    if (userId) notifyTabs([ownUserKey(userId), userKeys.page(userId)]);
    showSuccess(t('users.info.saved'));
  };

  const { busy, onSubmit } = useSubmit(save);

  return (
    <form noValidate className={styles.form} onSubmit={onSubmit}>
      <DraftNote {...form} />
      <TextField
        label={t('ui.name')}
        autoComplete="name"
        maxLength={MAX_NAME}
        value={form.draft}
        error={missing ? t('ui.nameMissing') : null}
        onChange={(event) => form.setDraft(event.target.value)}
      />
      {email && (
        <p className="soft">
          {t('users.info.email')} <bdi>{email}</bdi>
        </p>
      )}
      <Button type="submit" busy={busy}>
        {t('ui.save')}
      </Button>
    </form>
  );
}
