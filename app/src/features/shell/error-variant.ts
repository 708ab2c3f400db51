// Chooses the variant of the error screen and its text.
import type { MessageArguments, MessageKey } from '#/i18n/i18n.ts';
import { toAppError } from '#/i18n/errors.ts';

interface ErrorView {
  variant: 'generic' | 'offline' | 'notFound';
  message: MessageKey;
  values: MessageArguments;
}

/** A 503 or a missing network is 'offline' and a 404 'not found'. Other errors show their own message or the general one. */
export function errorView(thrown: unknown, online: boolean): ErrorView {
  const { key, status, values } = toAppError(thrown);
  if (status === 503 || (!online && status === 500))
    return { variant: 'offline', message: 'shell.error.offline', values: {} };
  if (status === 404) return { variant: 'notFound', message: key, values };
  const message = key === 'errors.unexpected' && status === 500 ? 'errors.generic' : key;
  return { variant: 'generic', message, values };
}
