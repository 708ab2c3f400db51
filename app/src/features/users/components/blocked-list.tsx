// The users that the current user has blocked, with buttons to unblock them.
import { useBlocks, useUnblockUser } from '#/features/users/commands/blocks.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { UserList } from '#/entities/users/user-list.tsx';
import { announce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';

export function BlockedList() {
  const t = useT();
  const { data, error, refetch } = useBlocks();
  const unblock = useUnblockUser();
  if (!data) return <Loading error={error} refetch={refetch} height="4rem" />;
  if (data.length === 0) return <p>{t('users.blocks.empty')}</p>;
  return (
    <UserList
      linked={false}
      users={data.map(({ user_id, name }) => ({
        id: user_id,
        name,
        action: (
          <Button
            variant="secondary"
            busy={unblock.isPending && unblock.variables === user_id}
            aria-label={t('ui.named', { action: t('users.blocks.unblock'), name })}
            onClick={() =>
              unblock.mutate(user_id, {
                onSuccess: () => announce(t('users.blocks.done', { name })),
                onError: showError,
              })
            }
          >
            {t('users.blocks.unblock')}
          </Button>
        ),
      }))}
    />
  );
}
