// The error screen, preloaded while the browser is idle. If preloading failed, only its text is shown.
import type { ErrorScreenProps } from './error-screen.tsx';
import { errorView } from '#/features/shell/error-variant.ts';
import { useT } from '#/i18n/i18n.ts';
import { AppError } from '#/core/app-error.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useOnline } from '#/platform/online.ts';
import styles from './lazy-error-screen.module.css';

/** Preloads the screen for use while offline. */
export const fetchErrorScreen = () => import('./error-screen.tsx');

export const LazyErrorScreen = lazyPart<ErrorScreenProps>(
  () => fetchErrorScreen().then((file) => ({ default: file.ErrorScreen })),
  PlainError,
  <div className={styles.screen} />,
);

const NOT_FOUND = new AppError('errors.not_found', 404);

export const LazyNotFoundScreen = () => <LazyErrorScreen error={NOT_FOUND} />;

function PlainError({ error }: ErrorScreenProps) {
  const t = useT();
  const { message, values } = errorView(error, useOnline());
  return (
    <div className={styles.screen}>
      <h1>{t('shell.error.title', { message: t(message, values) })}</h1>
      <a href={location.href}>{t('ui.failed.tryAgain')}</a>
    </div>
  );
}
