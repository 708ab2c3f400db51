// Which of its three variants the error screen shows, and its text.
import type { MessageArguments, MessageKey } from '#/i18n/i18n.ts';
import { toAppError } from '#/i18n/errors.ts';

interface ErrorFace {
  variant: 'generic' | 'offline' | 'notFound';
  message: MessageKey;
  values: MessageArguments;
}

/** A 503 or a dead network is 'offline', a 404 'not found'; others show their own message, the unknown ones the general text. */
export function errorFace(thrown: unknown, online: boolean): ErrorFace {
  const { key, status, values } = toAppError(thrown);
  if (status === 503 || (!online && status === 500))
    return { variant: 'offline', message: 'shell.error.offline', values: {} };
  if (status === 404) return { variant: 'notFound', message: key, values };
  const message = key === 'errors.unexpected' && status === 500 ? 'errors.generic' : key;
  return { variant: 'generic', message, values };
}
