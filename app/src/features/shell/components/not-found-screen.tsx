// The error screen for an address that leads nowhere.
import { AppError } from '#/lib/errors.ts';
import { ErrorScreen } from './error-screen.tsx';

const NOT_FOUND = new AppError('errors.notFound', 404);

export function NotFoundScreen() {
  return <ErrorScreen error={NOT_FOUND} />;
}
