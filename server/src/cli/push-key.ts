// `packpark push-key`: replaces the VAPID key that signs web pushes.
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '#/cli/command.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { loadPushKey, PUSH_KEY } from '#/product/secrets.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

export const command: Command = {
  summary: 'replace the key for pushes to browsers',
  help: `
Usage: npx packpark push-key

Replaces the key that signs pushes to browsers, for example because somebody else may have read it.
Restart the host afterwards. Each device subscribes again when the app is opened on it.`,
  run() {
    const settings = readSettings(process.env);
    if (settings.VAPID_KEY !== undefined)
      throw new StartError('The key is that of VAPID_KEY: change it there, on all hosts.');
    const { folder } = makeDataHome(settings.DATA_DIR);
    rmSync(path.join(folder, PUSH_KEY), { force: true });
    loadPushKey(folder, undefined);
    console.log(
      'The key was replaced. Restart the host: each device subscribes again when the app is opened on it.',
    );
    return Promise.resolve();
  },
};
