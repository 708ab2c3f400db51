// The heart button, which changes immediately and changes back if the server rejects the change.
import { Heart } from 'lucide-react';
import { useSetFavourite } from '#/features/favourites/commands/set-favourite.command.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { useT } from '#/i18n/i18n.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { showError } from '#/ui/toast.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';

interface FavouriteButtonProps {
  parkId: number;
  favourite: boolean;
  guard: LoginGate['guard'];
}

export function FavouriteButton({ parkId, favourite: fetched, guard }: FavouriteButtonProps) {
  const t = useT();
  const { data, isQueued } = useWithUnsent(parkKeys.status(parkId), { is_favourite: fetched });
  const favourite = data.is_favourite;
  const set = useSetFavourite(parkId);
  return (
    <IconButton
      icon={Heart}
      label={t(favourite ? 'favourites.remove' : 'favourites.add')}
      filled={favourite}
      aria-description={isQueued ? t('ui.notSentYet') : undefined}
      data-queued={isQueued || undefined}
      onClick={() => {
        const input = { parkId, favourite: !favourite };
        const act = () => set.mutate(input, { onError: showError });
        guard(t('favourites.add'), t('favourites.gate'), act, undefined, parkId);
      }}
    />
  );
}
