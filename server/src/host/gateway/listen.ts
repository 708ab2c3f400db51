// Opens the host's port and describes a failure in one sentence.
import { createServer, type Server } from 'node:net';
import { StartError } from '#/host/lib/start-error.ts';

function sentence(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is already in use, perhaps by Packpark itself: stop that program, or choose another port with PORT=${port + 1}.`;
    case 'EACCES':
      return `This user may not open port ${port}: choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is "${host}", which is no address of this machine: use localhost, 0.0.0.0 or one of its addresses.`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(new StartError(sentence(error, host, port), { cause: error }));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });

/**
 * Checks that the port is free, before the slow part of a start.
 * @throws StartError
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}
