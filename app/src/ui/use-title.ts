// The title of the window, in step with the screen and its language.
import { useEffect } from 'react';
import { useT } from '#/i18n/i18n.ts';

/** Each screen calls it once. Null while the name of what it shows is not known yet. */
export function useTitle(title: string | null): void {
  const t = useT();
  useEffect(() => {
    document.title = title ? `${title} · ${t('app.name')}` : t('app.name');
  }, [title, t]);
}
