// The code from an administrator, which opens the desk to a second factor that is new.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { enterCode } from '#/features/desk/commands/decide.ts';
import { deskKeys, hasRoleQueryOptions } from '#/features/desk/queries/desk.ts';
import type { DeskText } from '#/features/desk/desk-text.ts';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import styles from './desk.module.css';

export function CodeForm({ userId, text }: { userId: string; text: DeskText }) {
  const client = useQueryClient();
  const hasRole = useQuery(hasRoleQueryOptions(userId)).data ?? false;
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { busy, onSubmit } = useSubmit(async () => {
    const problem = await enterCode(code).then(
      (right) => (right ? null : text.code.wrong),
      (thrown: unknown) => errorText(thrown),
    );
    setError(problem);
    if (problem === null) await client.invalidateQueries({ queryKey: deskKeys.role(userId) });
    else focusFirstProblem();
  });
  if (!hasRole) return null;
  return (
    <form noValidate className={styles.stack} onSubmit={onSubmit}>
      <TextField
        label={text.code.label}
        hint={text.code.hint}
        dir="ltr"
        autoComplete="off"
        value={code}
        error={error}
        onChange={(event) => {
          setCode(event.target.value);
          setError(null);
        }}
      />
      <Button type="submit" busy={busy}>
        {text.code.open}
      </Button>
    </form>
  );
}
