// Asks for the code from an administrator, which opens the desk for a new second factor.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { enterCode } from '#/features/desk/commands/decide.ts';
import { hasRoleQueryOptions, roleQueryOptions } from '#/features/desk/queries/desk.ts';
import type { DeskText } from '#/features/desk/desk-text.ts';
import { Button } from '#/ui/button.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';
import styles from './desk.module.css';

export function CodeForm({ userId, text }: { userId: string; text: DeskText }) {
  const client = useQueryClient();
  const hasRole = useQuery(hasRoleQueryOptions(userId)).data ?? false;
  const code = useOneField(async (value, { reject }) => {
    if (await enterCode(value)) await client.invalidateQueries(roleQueryOptions(userId));
    else reject(text.code.wrong);
  });
  if (!hasRole) return null;
  return (
    <form noValidate className={styles.stack} onSubmit={code.onSubmit}>
      <TextField
        label={text.code.label}
        hint={text.code.hint}
        dir="ltr"
        autoComplete="off"
        {...code.text}
      />
      <Button type="submit" busy={code.busy}>
        {text.code.open}
      </Button>
    </form>
  );
}
