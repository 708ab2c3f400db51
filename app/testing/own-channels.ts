// Isolates BroadcastChannel between test files. Node's channels reach all threads of a process, so a logout in one file ended the
// session of another.
import { threadId } from 'node:worker_threads';

const { BroadcastChannel } = globalThis;

globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${threadId} ${name}`);
  }
};
