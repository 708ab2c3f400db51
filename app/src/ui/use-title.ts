// The document's title, which follows the screen, its language and errors in its forms.
import { useEffect } from 'react';
import { createStore, useStore } from '#/core/store.ts';
import { useT } from '#/i18n/i18n.ts';

/** Number of fields and forms with an error. */
const problems = createStore(0);

/** Each screen calls this once. @param title null while it is unknown */
export function useTitle(title: string | null): void {
  const t = useT();
  const isWrong = useStore(problems) > 0;
  useEffect(() => {
    const full = title ? `${title} · ${t('app.name')}` : t('app.name');
    document.title = isWrong ? t('ui.errorTitle', { title: full }) : full;
  }, [title, isWrong, t]);
}

/** Prefixes the title with a note about errors, because screen readers read it first. */
export function useErrorTitle(isWrong: boolean): void {
  useEffect(() => {
    const counted = Number(isWrong);
    problems.set(problems.get() + counted);
    return () => problems.set(problems.get() - counted);
  }, [isWrong]);
}
