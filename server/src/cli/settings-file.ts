// Finds the settings file, so that every command uses the same settings as the service.
import { existsSync, readFileSync } from 'node:fs';
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

/** A sentence about the first line that is not read as it looks; null if there is none. */
function problemOf(text: string): string | null {
  // Quoted values may have several lines.
  const masked = text.replace(/=[ \t]*(["'`])[^]*?\1/g, (value) => value.replace(/[^\n]/g, '='));
  for (const [index, line] of masked.split('\n').entries()) {
    if (/^\s*($|#|=)/.test(line)) continue;
    // Node's parser takes such a line and the name in the next line for one name, so that setting would have no effect.
    if (!/^\s*(export\s+)?[\w.-]+\s*=/.test(line)) return `Line ${index + 1} is not NAME=value`;
    // Node's parser ends the value there, and systemd does not.
    if (line.includes('#')) return `Line ${index + 1} has a "#" in a value without quotes`;
  }
  return null;
}

/**
 * Loads the settings file into the environment. Variables that are already set have priority.
 * @throws StartError if a line is ambiguous, or if the file cannot be read and the environment does not name the data
 */
export function loadSettingsFile(file = settingsFile()): void {
  if (file === null) return;
  let problem: string | null;
  try {
    const before = new Set(Object.keys(process.env));
    // Unlike loadEnvFile, readFileSync throws an error with the true reason.
    problem = problemOf(readFileSync(file, 'utf8'));
    process.loadEnvFile(file);
    for (const name of Object.keys(process.env)) if (!before.has(name)) fromFile.add(name);
  } catch (error) {
    // systemd reads the file as root and passes the settings to the service in its environment. The service need not be allowed to
    // read the file, so the failure is ignored if the environment names the data.
    if (process.env.DATA_DIR || process.env.DATABASE_URL) return;
    const { code } = error as NodeJS.ErrnoException;
    const remedy = /^(EACCES|EPERM)$/.test(code ?? '')
      ? 'run the command as a user who may read it, such as with "sudo -u packpark"'
      : 'PACKPARK_SETTINGS must name a file';
    throw new StartError(`The settings file ${file} cannot be read (${code}): ${remedy}.`, {
      cause: error,
    });
  }
  if (problem !== null) throw new StartError(`The settings file ${file} is wrong: ${problem}.`);
}
