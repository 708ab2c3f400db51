// Sends a run of hostile requests and sockets to a host, and notes each answer that must not be: a 5xx, a hang, a host that is gone.
import net from 'node:net';
import WebSocket from 'ws';
import {
  hostileRequest,
  hostileSocket,
  type HostileRequest,
  type HostileSocket,
} from './hostile-requests.ts';

/** One of so many is a WebSocket with several messages. */
const SOCKET_EACH = 25;
/** How long a request that never ends is left open. */
const UNFINISHED_MS = 150;
/** Functions that ask an outside service may say that it does not answer. */
const OUTSIDE = /^\S+ \/functions\/v1\/(weather|geocode|route|send-push)/;

/** Sends bytes as they are; resolves with what came back, or null where nothing came in time. */
function exchange({ port, hostname }: URL, { bytes, complete }: HostileRequest, bound: number) {
  return new Promise<string | null>((resolve) => {
    const parts: Buffer[] = [];
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    const answer = () => Buffer.concat(parts).toString('latin1');
    const timer = setTimeout(
      () => {
        const late = complete && parts.length === 0;
        resolve(late ? null : answer());
        socket.destroy();
      },
      complete ? bound : UNFINISHED_MS,
    );
    socket.on('data', (part) => parts.push(part));
    // A refused request's connection is closed while we may still be writing into it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer());
    });
  });
}

/** The TCP socket below a WebSocket, for bytes that are no frame; ws has no public way to it. */
const socketOf = (ws: WebSocket) => (ws as unknown as { _socket: net.Socket })._socket;

/** Opens a socket, sends all, and resolves with the status of a refusal, 'open' or 'silent'. */
function converse(url: string, { query, messages, garbage }: HostileSocket, bound: number) {
  return new Promise<number | 'open' | 'silent'>((resolve) => {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`);
    const finish = (result: number | 'open' | 'silent') => {
      clearTimeout(timer);
      resolve(result);
      ws.terminate();
    };
    const timer = setTimeout(() => finish('silent'), bound);
    ws.on('error', () => undefined);
    ws.on('unexpected-response', (_, response) => finish(response.statusCode ?? 0));
    ws.on('close', () => finish('open'));
    ws.on('open', () => {
      for (const message of messages) ws.send(message);
      if (garbage) socketOf(ws).write(garbage);
      // The answer to a heartbeat says that all before it was read; a socket the host closed answers by closing.
      else
        ws.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'last' }));
      ws.on('message', (text) => /"last"/.test(String(text)) && finish('open'));
      setTimeout(() => finish('open'), 1000);
    });
  });
}

const healthy = async (url: string, bound: number) => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(bound) }).catch(
    () => null,
  );
  return answer?.status === 200;
};

interface HostileRunOptions {
  url: string;
  seed: number;
  requests: number;
  /** The first must be a good anonymous key. */
  tokens: string[];
  /** Milliseconds after which a missing answer is a hang. */
  bound?: number;
  connections?: number;
  from?: number;
  /** Called with the number of requests done. */
  onProgress?: (done: number) => void;
}

/**
 * Runs requests `from` to `from + requests` of `seed`.
 * @returns {failures: [text], statuses: {status: count}}; status 0 stands for a connection closed without an answer
 */
export async function hostileRun({
  url,
  seed,
  requests,
  tokens,
  bound = 30_000,
  connections = 12,
  from = 0,
  onProgress = () => undefined,
}: HostileRunOptions): Promise<{ failures: string[]; statuses: Record<string, number> }> {
  const address = new URL(url);
  const failures: string[] = [];
  const statuses: Record<string, number> = {};
  let next = from;

  async function one(index: number) {
    if (index % SOCKET_EACH === 0) {
      const result = await converse(url, hostileSocket(seed, index, tokens), bound);
      statuses[result] = (statuses[result] ?? 0) + 1;
      if (result === 'silent' || (result !== 'open' && result >= 500))
        failures.push(`${index}: socket: ${result}`);
      return;
    }
    const request = hostileRequest(seed, index, tokens);
    const answer = await exchange(address, request, bound);
    if (answer === null) {
      failures.push(`${index}: no answer after ${bound} ms: ${request.label}`);
      return;
    }
    const status = Number(
      /^(?:HTTP\/1\.1 1\d\d[^\r]*\r\n\r\n)*HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    const excused =
      (status >= 502 && OUTSIDE.test(request.label)) ||
      // A statement that takes too long, and the page of an app that is not built.
      (status === 504 && / \/rest\//.test(request.label)) ||
      (status === 503 && /content-type: text\/html/i.test(answer));
    if (status >= 500 && !excused)
      failures.push(
        `${index}: ${status}: ${request.label}: ${answer.split('\r\n\r\n')[1]?.slice(0, 300)}`,
      );
  }
  async function worker() {
    while (next < from + requests) {
      const index = next++;
      await one(index);
      onProgress(index + 1 - from);
    }
  }
  await Promise.all(Array.from({ length: connections }, worker));
  if (!(await healthy(url, bound)))
    failures.push('The host is not well afterwards: /readyz does not answer 200.');
  return { failures, statuses };
}
