// The heart: shows a park as a favourite at once, and takes it back when the server refuses.
import { Heart } from 'lucide-react';
import { useSetFavourite } from '#/features/favourites/commands/set-favourite.command.ts';
import { isFavourite } from '#/features/favourites/my-favourites.ts';
import { useT } from '#/i18n/i18n.ts';
import { useQueuedCommands } from '#/offline/command-queue/queued-commands.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { showError } from '#/ui/toast.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';

interface FavouriteButtonProps {
  parkId: number;
  favourite: boolean;
  guard: LoginGate['guard'];
}

export function FavouriteButton({ parkId, favourite: answer, guard }: FavouriteButtonProps) {
  const t = useT();
  const { shown: favourite, isWaiting } = isFavourite(answer, useQueuedCommands(), parkId);
  const set = useSetFavourite(parkId);
  return (
    <IconButton
      icon={Heart}
      label={t(favourite ? 'favourites.remove' : 'favourites.add')}
      filled={favourite}
      aria-description={isWaiting ? t('ui.notSentYet') : undefined}
      data-waiting={isWaiting || undefined}
      onClick={() => {
        const input = { parkId, favourite: !favourite };
        const onError = showError;
        guard(t('favourites.gate'), () => set.mutate(input, { onError }), undefined, {
          command: 'set_favourite',
          input,
        });
      }}
    />
  );
}
