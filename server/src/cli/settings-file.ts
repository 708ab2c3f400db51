// Finds the file with the settings, so that every command uses the same ones as the service.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { fromFile } from '#/product/settings.ts';

/** Where docs/deploy.md puts it: outside the checkout, which an upgrade replaces. */
const SYSTEM_FILE = '/etc/packpark.env';

/** The file that counts: the one that PACKPARK_SETTINGS names, else .env in the checkout, else /etc/packpark.env. */
export function settingsFile(named = process.env.PACKPARK_SETTINGS): string | null {
  if (named) return path.resolve(named);
  return [path.join(ROOT, '.env'), SYSTEM_FILE].find((file) => existsSync(file)) ?? null;
}

/**
 * Reads it into the environment, where what is set already has priority.
 * @throws StartError where it cannot be read and nothing else says where the data lies
 */
export function loadSettingsFile(file = settingsFile()): void {
  if (file === null) return;
  try {
    const before = new Set(Object.keys(process.env));
    process.loadEnvFile(file);
    for (const name of Object.keys(process.env)) if (!before.has(name)) fromFile.add(name);
  } catch (error) {
    // systemd reads the file as root and passes its settings on to a service that may not.
    if (process.env.DATA_DIR || process.env.DATABASE_URL) return;
    throw new StartError(
      `The settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}): run the command as a user who may read it, such as with "sudo -u packpark".`,
      { cause: error },
    );
  }
}
