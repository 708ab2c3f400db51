// The title of the window, in step with the screen, its language and what is wrong in its forms.
import { useEffect } from 'react';
import { createStore, useStore } from '#/core/store.ts';
import { useT } from '#/i18n/i18n.ts';

/** How many fields and forms show a problem. */
const problems = createStore(0);

/** Each screen calls it once. Null while the name of what it shows is not known yet. */
export function useTitle(title: string | null): void {
  const t = useT();
  const isWrong = useStore(problems) > 0;
  useEffect(() => {
    const full = title ? `${title} · ${t('app.name')}` : t('app.name');
    document.title = isWrong ? t('ui.errorTitle', { title: full }) : full;
  }, [title, isWrong, t]);
}

/** While something is wrong, the title begins with saying so: it is what a screen reader says first of a window. */
export function useErrorTitle(isWrong: boolean): void {
  useEffect(() => {
    const counted = Number(isWrong);
    problems.set(problems.get() + counted);
    return () => problems.set(problems.get() - counted);
  }, [isWrong]);
}
