// A proxy between clients and a server of any protocol. A test can cut, restore, freeze or redirect it.
import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Socket,
} from 'node:net';

/** @param target called for each connection; null refuses the connection */
export async function startTcpProxy(at: ListenOptions, target: () => NetConnectOpts | null) {
  const open = new Set<Socket>();
  let frozen = false;
  const listener = createServer((near) => {
    const to = target();
    const far = to && connect(to);
    for (const end of far ? [near, far] : [near]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => open.delete(end));
    }
    if (!far) return void near.destroy();
    // A frozen proxy reads from both ends and forwards nothing, like a stopped server.
    near.on('data', (bytes) => !frozen && far.write(bytes));
    far.on('data', (bytes) => !frozen && near.write(bytes));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
  });
  const mend = () => new Promise<void>((resolve) => listener.listen(at, resolve));
  await mend();
  return {
    address: listener.address(),
    mend,
    freeze() {
      frozen = true;
    },
    async cut() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const end of open) end.destroy();
      await closed;
    },
  };
}
