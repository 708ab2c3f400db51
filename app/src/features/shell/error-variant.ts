// Chooses the variant of the error screen and its text.
import type { MessageArguments, MessageKey } from '#/i18n/i18n.ts';
import { toAppError } from '#/i18n/errors.ts';

interface ErrorView {
  variant: 'generic' | 'offline' | 'notFound';
  message: MessageKey;
  values: MessageArguments;
}

/**
 * The variant is 'offline' for a 503 or without a network, and 'not found' for a 404. Other errors show their own message or a
 * general one.
 */
export function errorView(thrown: unknown, online: boolean): ErrorView {
  const { key, status, values } = toAppError(thrown);
  if (status === 503 || (!online && status === 500))
    return { variant: 'offline', message: 'shell.error.offline', values: {} };
  if (status === 404) return { variant: 'notFound', message: key, values };
  const message = key === 'errors.unexpected' && status === 500 ? 'errors.generic' : key;
  return { variant: 'generic', message, values };
}
