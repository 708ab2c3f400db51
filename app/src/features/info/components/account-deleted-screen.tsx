// /user-deleted: confirms that the account was deleted.
import { useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { CenteredScreen } from '#/ui/centered-screen.tsx';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import { useTitle } from '#/ui/use-title.ts';

export function AccountDeletedScreen() {
  const t = useT();
  const title = t('info.goodbye.title');
  useTitle(title);
  return (
    <CenteredScreen>
      <DogDrawing pose="sitting" size={200} />
      <h1>{title}</h1>
      <p className="soft">{t('info.goodbye.text')}</p>
      <ButtonLink to="/">{t('ui.backToMap')}</ButtonLink>
    </CenteredScreen>
  );
}
