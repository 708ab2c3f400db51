// A command that starts before the stored session has been read is sent as the stored session's user.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { sessionOf, startBrowserOnNode } from '../../../testing/browser-on-node.ts';
import '../../../testing/indexed-db-on-node.ts';

const ID = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';

const browser = await startBrowserOnNode({ withWindow: true });

test('a command waits until the stored session has been read', async () => {
  browser.respond(() => [200, { id: ID, name: 'Dana' }]);
  localStorage.setItem(SESSION_KEY, JSON.stringify(sessionOf(ID)));
  const { startSession } = await import('#/data/session/session.ts');
  const { runCommand } = await import('#/offline/command-queue/run-command.ts');
  const command = defineCommand({
    name: 'check_out',
    input: v.string(),
    send: (_, { userId }) => Promise.resolve(userId),
    invalidates: () => [],
  });
  const sent = runCommand(command, '', { key: ID, file: undefined });
  startSession();
  expect(await sent).toBe(ID);
});
