// The heart: shows a park as a favourite at once, and takes it back when the server refuses.
import { Heart } from 'lucide-react';
import { useSetFavourite } from '#/features/favourites/commands/set-favourite.command.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { showToast } from '#/ui/toast.ts';
import type { LoginGate } from '#/data/session/use-login-gate.tsx';

interface FavouriteButtonProps {
  parkId: number;
  favourite: boolean;
  guard: LoginGate['guard'];
}

export function FavouriteButton({ parkId, favourite, guard }: FavouriteButtonProps) {
  const t = useT();
  const set = useSetFavourite(parkId);
  return (
    <IconButton
      icon={Heart}
      label={t(favourite ? 'favourites.remove' : 'favourites.add')}
      aria-pressed={favourite}
      filled={favourite}
      onClick={() => {
        guard(t('favourites.gate'), () => {
          set.mutate(
            { parkId, favourite: !favourite },
            {
              onError: (error) => showToast(errorText(error), { kind: 'error' }),
            },
          );
        });
      }}
    />
  );
}
