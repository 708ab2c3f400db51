// The host's structured log: one JSON line per event, without personal data. Repeated failures are logged as one line per cause and
// minute.
import { pino, type DestinationStream } from 'pino';

type Fields = Record<string, unknown>;
type Write = (fields: Fields, message: string) => void;

export type Log = Record<'debug' | 'info' | 'warn' | 'error', Write>;

const MINUTE_MS = 60_000;
/** Maximum number of causes that are tracked within a minute. Failures with other causes are logged one by one. */
const MAX_CAUSES = 500;

/** Logs the first failure of a cause immediately, and its repetitions within a minute as one line with a count. */
function oncePerMinute(write: Write): Write {
  const repeated = new Map<string, { fields: Fields; count: number }>();
  return (fields, message) => {
    const { job, function: name, code, error, status, id } = fields;
    // Errors of requests are never merged: the request ID is part of the cause, so operators find the line of every error that a
    // user reports.
    const request = status === undefined ? null : id;
    const cause = JSON.stringify([message, job, name, code, error, request]);
    const known = repeated.get(cause);
    if (known) {
      known.fields = fields;
      known.count += 1;
      return;
    }
    write(fields, message);
    if (repeated.size >= MAX_CAUSES) return;
    repeated.set(cause, { fields, count: 0 });
    setTimeout(() => {
      const { fields: last, count } = repeated.get(cause) ?? { fields, count: 0 };
      repeated.delete(cause);
      if (count > 0) write({ ...last, repeated: count }, message);
    }, MINUTE_MS).unref();
  };
}

/** The same logger with `fields` in each line. */
export const withFields = (log: Log, fields: Fields): Log => ({
  debug: (more, message) => log.debug({ ...fields, ...more }, message),
  info: (more, message) => log.info({ ...fields, ...more }, message),
  warn: (more, message) => log.warn({ ...fields, ...more }, message),
  error: (more, message) => log.error({ ...fields, ...more }, message),
});

/** Creates a logger that writes JSON lines of `level` and above to `stream`, by default standard output. */
export function createLog(level: string, stream?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = stream ? pino(options, stream) : pino(options);
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: oncePerMinute((fields, message) => logger.warn(fields, message)),
    error: oncePerMinute((fields, message) => logger.error(fields, message)),
  };
}
