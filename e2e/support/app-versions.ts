// A proxy in front of the host that publishes newer versions of the app: every hashed file is renamed, and the old names are gone.
import { readdirSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';

const ASSETS = path.resolve(import.meta.dirname, '../../app/dist/assets');

/**
 * Matches the URLs of the built JavaScript chunks with these names.
 * @throws if the build has no such chunk, so that a renamed module is reported as such and not as a timeout
 */
export function chunkUrl(...names: string[]): RegExp {
  const built = readdirSync(ASSETS);
  for (const name of names)
    if (!built.some((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file)))
      throw new Error(`The build has no chunk "${name}".`);
  return new RegExp(`/assets/(?:${names.join('|')})-[\\w-]{8}\\.js$`);
}
const HASHED = /[\w.-]+-[\w-]{8}(?=\.\w+)/g;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const TEXT = /javascript|css|html|json/;

interface Versions {
  url: string;
  /**
   * Serves another version from now on, and nothing of the previous one.
   * @param whole false: only its pages and its worker, as if the network failed
   */
  publish(options?: { whole: boolean }): void;
  /** The site forbids caching tiles from now on. */
  forbidTiles(): void;
  close(): Promise<void>;
}

/** @param hostUrl URL of the host that serves the built app */
export async function startVersions(hostUrl: string): Promise<Versions> {
  const target = new URL(hostUrl);
  const stems = new Set(
    readdirSync(ASSETS).flatMap((name) => /^[\w.-]+-[\w-]{8}(?=\.\w+$)/.exec(name) ?? []),
  );
  let version = 1;
  let isWhole = true;
  let mayKeepTiles = true;
  // Change only the last character of the hash, which encodes the version and the file's name on the host.
  const named = (stem: string) => {
    const last = LETTERS.indexOf(stem.at(-1) ?? '') + version - 1;
    return stem.slice(0, -1) + LETTERS[last % LETTERS.length];
  };
  const original = new Map<string, string>();
  const rename = () => {
    original.clear();
    for (const stem of stems) original.set(named(stem), stem);
  };
  rename();

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { pathname } = new URL(incoming.url ?? '/', target);
    const stem = /^\/assets\/([\w.-]+-[\w-]{8})\.\w+$/.exec(pathname)?.[1];
    if (stem !== undefined && (!isWhole || !original.has(stem))) {
      outgoing.writeHead(404).end();
      return;
    }
    const url =
      stem === undefined ? incoming.url : incoming.url?.replace(stem, original.get(stem) ?? '');
    const headers = { ...incoming.headers };
    const isApp =
      incoming.method === 'GET' && !/^\/(?:rest|auth|storage|realtime|functions)\//.test(pathname);
    if (isApp) delete headers['accept-encoding'];
    // The host's ETags describe its original files, not the ones we rewrite.
    if (isApp) delete headers['if-none-match'];
    const asked = request(
      { host: target.hostname, port: target.port, path: url, method: incoming.method, headers },
      (answer) => {
        answer.on('error', () => outgoing.destroy());
        if (!isApp || !TEXT.test(answer.headers['content-type'] ?? '')) {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
          return;
        }
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts)
            .toString()
            .replaceAll(HASHED, (found) => (stems.has(found) ? named(found) : found))
            // Each simulated version also needs another worker version, because the build derives it from the files' names.
            .replace(
              /("version":"[0-9a-f]{11})([0-9a-f])"/,
              (_, rest: string, last: string) =>
                `${rest}${((parseInt(last, 16) + version - 1) % 16).toString(16)}"`,
            );
          const told = mayKeepTiles ? text : text.replace('"keep":true', '"keep":false');
          const { ...others } = answer.headers;
          delete others['content-length'];
          delete others.etag;
          outgoing.writeHead(answer.statusCode ?? 502, others).end(told);
        });
      },
    );
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  }

  const tunnels = new Set<Duplex>();

  /** Forwards realtime's WebSocket unchanged. */
  function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const other = connect(Number(target.port), target.hostname, () => {
      const lines = incoming.rawHeaders.map((part, index) => part + (index % 2 ? '\r\n' : ': '));
      other.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      other.write(head);
      socket.pipe(other).pipe(socket);
    });
    tunnels.add(socket);
    for (const end of [socket, other]) end.on('error', () => (socket.destroy(), other.destroy()));
  }

  const server = createServer(forward).on('upgrade', tunnel);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish({ whole } = { whole: true }) {
      version += 1;
      isWhole = whole;
      rename();
    },
    forbidTiles() {
      mayKeepTiles = false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of tunnels) socket.destroy();
      await closed;
    },
  };
}
