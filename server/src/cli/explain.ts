// Converts errors of commands into messages for operators, without a stack trace.
import { isDiskFull } from '#/host/lib/disk.ts';
import { StartError } from '#/host/lib/start-error.ts';

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If a host name has several IP addresses and all of them fail, the error's own message is empty and `errors` has the reasons.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(messageOf).join('; ');
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}

/** @param level LOG_LEVEL; `debug` also prints the stack of unexpected errors */
export function explain(error: unknown, level = process.env.LOG_LEVEL): string {
  if (error instanceof StartError) return error.message;
  if (isDiskFull(error)) return `There is no room left on the disk: ${messageOf(error)}.`;
  const { code, path, severity, hint, detail } = error as NodeJS.ErrnoException & {
    severity?: string;
    hint?: string;
    detail?: string;
  };
  // Our SQL functions raise a code for programs as the message, and a sentence as the hint.
  if (code === 'P0001' && hint) return hint;
  if (code === '22P02')
    return `A value is not valid: ${messageOf(error)}. --help describes the values.`;
  if (code === '23503' && detail) return detail;
  if (/^(42P01|3F000)$/.test(code ?? ''))
    return `The database does not have the schema of this Packpark (${messageOf(error)}): start the host first.`;
  if (path !== undefined && /^(EACCES|EPERM|EROFS)$/.test(code ?? ''))
    return `${path} cannot be read or written (${code}): run the command as the user that Packpark runs as, such as with "sudo -u packpark", or give that user the right to it.`;
  if (severity === 'FATAL')
    return `The database rejects the connection: ${messageOf(error)} (${code}). Check role, password and name of the database in DATABASE_URL, and the log of the database.`;
  if (level === 'debug' && error instanceof Error) return error.stack ?? error.message;
  return `The command failed: ${messageOf(error)}. (LOG_LEVEL=debug shows where.)`;
}
