// Shows the account's email and changes it.
import { useQuery } from '@tanstack/react-query';
import { changeEmail } from '#/features/account/commands/change-email.ts';
import { emailQueryOptions } from '#/features/account/queries/own-email.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { RichText } from '#/ui/rich-text.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useOneField } from '#/ui/use-one-field.ts';
import { useRecentLogin } from './recent-login.tsx';

export function EmailForm() {
  const t = useT();
  const fresh = useRecentLogin();
  const { data, error: failure, refetch } = useQuery(emailQueryOptions());
  const email = useOneField(async (value, { reject, clear }) => {
    const next = value.trim();
    if (next === '' || next.toLowerCase() === data?.email.toLowerCase())
      return reject(t('account.email.missing'));
    await fresh.run(() => changeEmail(next));
    clear();
    await refetch();
    showSuccess(t('account.email.sent'));
  });

  if (!data) return <Loading error={failure} refetch={refetch} height="8rem" />;
  const written = (text: string) => (
    <RichText text={text} tags={{ email: (content) => <bdi dir="ltr">{content}</bdi> }} />
  );
  return (
    <>
      <form noValidate className="column-4" onSubmit={email.onSubmit}>
        <p className="soft">{written(t('account.email.now', { email: data.email }))}</p>
        {data.next !== null && (
          <p role="status">
            {written(t('account.email.waiting', { email: data.email, next: data.next }))}
          </p>
        )}
        <TextField
          label={t('account.email.label')}
          type="email"
          autoComplete="email"
          {...email.text}
        />
        <Button type="submit" variant="secondary" busy={email.busy}>
          {t('account.email.save')}
        </Button>
      </form>
      {fresh.sheet}
    </>
  );
}
