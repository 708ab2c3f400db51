// Starts Chromium without Playwright. Playwright enables the protocol's Runtime domain, and V8 then parses the whole entry script
// again for each Error that a library creates while it loads.
import { spawn } from 'node:child_process';
import readline from 'node:readline';
import WebSocket from 'ws';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../../testing/chromium.ts';
import { atEnd } from './at-end.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Send = (
  method: string,
  params?: Record<string, unknown>,
  sessionId?: string,
  // The result depends on the method; Chromium's protocol is not typed here.
  // oxlint-disable-next-line typescript/no-explicit-any
) => Promise<any>;

export interface BaselinePage {
  send: Send;
  evaluate<Result>(expression: string): Promise<Result>;
  close(): Promise<void>;
}

export interface BaselineBrowser {
  openPage(): Promise<BaselinePage>;
  close(): Promise<void>;
}

/** Returns `send(method, params, sessionId)` for the browser's debugging socket. */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<
    number,
    { method: string; resolve(result: unknown): void; reject(error: Error): void }
  >();
  let last = 0;
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data));
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${call.method}: ${error.message}`));
    else call?.resolve(result);
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { method, resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
}

export async function openBaselineBrowser(): Promise<BaselineBrowser> {
  const browser = spawn(
    ensureChromium(),
    [
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${temporaryFolder()}`,
      ...CHROMIUM_ARGUMENTS,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  let address: string | null = null;
  for await (const line of readline.createInterface({ input: browser.stderr })) {
    address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? null;
    if (address) break;
  }
  if (!address) throw new Error('Chromium ended before it could be driven');
  browser.stderr.resume();
  const call = await connect(address);

  async function openPage(): Promise<BaselinePage> {
    const { browserContextId } = await call('Target.createBrowserContext');
    const { targetId } = await call('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
    const send: Send = (method, params) => call(method, params, sessionId);
    return {
      send,
      async evaluate(expression: string) {
        const response = await send('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        });
        if (response.exceptionDetails)
          throw new Error(response.exceptionDetails.exception?.description ?? 'The page failed');
        return response.result.value;
      },
      close: () => call('Target.disposeBrowserContext', { browserContextId }),
    };
  }

  async function close() {
    browser.kill();
    await ended;
  }

  atEnd(close);
  return { openPage, close };
}
