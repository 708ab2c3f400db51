// The title of the window, in step with the screen and its language; screen readers hear it after a navigation.
import { useEffect } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { sayPageTitle } from '#/ui/page-announcer.ts';

/** Each screen calls it once. Null while the name of what it shows is not known yet. */
export function useTitle(title: string | null): void {
  const t = useT();
  useEffect(() => {
    document.title = title ? `${title} · ${t('app.name')}` : t('app.name');
    if (title) sayPageTitle(title);
  }, [title, t]);
}
