// Continues after a login: opens what the visitor wanted, and adds their favourite.
import { type ContinueAfterLogin, clearIntent } from '#/data/session/intent.ts';
import { setNamedOverlays } from '#/ui/overlays.ts';
import { showError } from '#/ui/toast.ts';

export const continueAfterLogin: ContinueAfterLogin = async (router, intent, fallback) => {
  await router.navigate({ href: intent?.href ?? fallback, replace: true });
  clearIntent();
  if (!intent) return;
  setNamedOverlays(intent.opens);
  const { favouriteParkId } = intent;
  if (favouriteParkId === undefined) return;
  await import('#/features/favourites/commands/set-favourite.command.ts')
    .then(({ addFavourite }) => addFavourite(favouriteParkId))
    .catch(showError);
};
