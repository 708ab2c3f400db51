// Finds the settings file, so that every command uses the same settings as the service.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { fromFile } from '#/product/settings.ts';

/** The path in docs/deploy.md. It is outside the release folder, which an upgrade replaces. */
const SYSTEM_FILE = '/etc/packpark.env';

/** The file named by PACKPARK_SETTINGS, otherwise .env in the checkout, otherwise /etc/packpark.env. */
export function settingsFile(named = process.env.PACKPARK_SETTINGS): string | null {
  if (named) return path.resolve(named);
  return [path.join(ROOT, '.env'), SYSTEM_FILE].find((file) => existsSync(file)) ?? null;
}

/**
 * Loads the settings file into the environment. Variables that are already set have priority.
 * @throws StartError if the file cannot be read and the environment does not name the data
 */
export function loadSettingsFile(file = settingsFile()): void {
  if (file === null) return;
  try {
    const before = new Set(Object.keys(process.env));
    process.loadEnvFile(file);
    for (const name of Object.keys(process.env)) if (!before.has(name)) fromFile.add(name);
  } catch (error) {
    // systemd reads the file as root and passes the settings to the service in its environment. The service need not be allowed to
    // read the file, so the failure is ignored if the environment names the data.
    if (process.env.DATA_DIR || process.env.DATABASE_URL) return;
    throw new StartError(
      `The settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}): run the command as a user who may read it, such as with "sudo -u packpark".`,
      { cause: error },
    );
  }
}
