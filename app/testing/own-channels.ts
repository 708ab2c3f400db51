// For all unit tests of the app: each test file is a browser of its own. Node's channels between tabs reach all threads of a
// process, so that a logout in one file ended the session of another.
import { threadId } from 'node:worker_threads';

const { BroadcastChannel } = globalThis;

globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${threadId} ${name}`);
  }
};
