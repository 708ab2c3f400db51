// A line between clients and a server of whatever protocol, which a test cuts, mends, freezes or lets lead elsewhere.
import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Socket,
} from 'node:net';

/** @param target where it leads, asked for each connection; null: nowhere */
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
    // Frozen, it takes from both ends and gives to neither, as a server that is stopped in the middle of its work.
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
