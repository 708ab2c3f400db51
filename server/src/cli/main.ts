// `packpark <command>`: finds the command, parses its options, and prints errors that an operator can correct as one sentence.
import { parseArgs } from 'node:util';
import type { Command } from '#/cli/command.ts';
import { explain } from '#/cli/explain.ts';
import { loadSettingsFile } from '#/cli/settings-file.ts';
import { currentVersion } from '#/product/identity.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** A command's module is loaded only when it is used. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: () => import('#/cli/start.ts'),
  migrate: () => import('#/cli/migrate.ts'),
  seed: () => import('#/cli/seed.ts'),
  'import-parks': () => import('#/cli/import-parks.ts'),
  imports: () => import('#/cli/imports.ts'),
  'push-key': () => import('#/cli/push-key.ts'),
  'accept-secret': () => import('#/cli/accept-secret.ts'),
  'publish-parks': () => import('#/cli/publish-parks.ts'),
  desk: () => import('#/cli/desk.ts'),
  jobs: () => import('#/cli/jobs.ts'),
  users: () => import('#/cli/users.ts'),
  backup: () => import('#/cli/backup.ts'),
  restore: () => import('#/cli/restore.ts'),
  doctor: () => import('#/cli/doctor.ts'),
  'upgrade-check': () => import('#/cli/upgrade-check.ts'),
};

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => {
      const { command } = await load();
      return `  ${name.padEnd(16)}${command.summary}`;
    }),
  );
  return `Usage: npx packpark <command> [options]\n\n${lines.join('\n')}\n\nnpx packpark <command> --help explains a command, npx packpark --version prints the version.`;
}

async function run(args: string[], appBuilt: Promise<boolean>): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(await overview());
    return;
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    console.log(currentVersion());
    return;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load)
    throw new StartError(`There is no command "${name}": npx packpark --help lists what there is.`);
  const { command } = await load();
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: rest, options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0]}.`, { cause: error });
  }
  if (parsed.values.help) {
    console.log(command.help.trim());
    return;
  }
  await command.run({ values: parsed.values, positionals: parsed.positionals, appBuilt });
}

/**
 * Runs one command line. The exit code is 1 if it fails, and 2 if it needs an operator's confirmation.
 * @param appBuilt resolves to true if the build of the app, if there is one, succeeded
 */
export async function main(args: string[], appBuilt = Promise.resolve(true)): Promise<void> {
  // A closed pipe (`| head`, a log collector that restarts) must not end the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Files contain personal data, so other accounts of this machine may not read them.
  process.umask(0o077);
  try {
    loadSettingsFile();
    await run(args, appBuilt);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = error instanceof StartError ? error.exitCode : 1;
  }
}
