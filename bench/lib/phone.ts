// Simulates users looking at the map: sends the app's polling requests with a browser's headers and counts bytes.
import type net from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import {
  applyLiveResponse,
  type LiveResponse,
  type LiveCounts,
} from '../../shared/verdict/live-counts.ts';
import { atEnd } from './at-end.ts';
import { send } from './request.ts';

/** Headers that Chrome on Android sends with a same-site fetch over HTTP/1.1. */
const CHROME = {
  connection: 'keep-alive',
  'sec-ch-ua-platform': '"Android"',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?1',
  accept: '*/*',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  'accept-encoding': 'gzip, deflate, br, zstd',
  // The app sends this instead of the user's languages.
  'accept-language': '*',
};

export function countingAgent(maxSockets: number) {
  const sockets: net.Socket[] = [];
  const connect = buildConnector({});
  const agent = new Agent({
    connections: maxSockets,
    connect(options, callback) {
      connect(options, (...[error, socket]) => {
        if (socket) sockets.push(socket);
        callback(...([error, socket] as Parameters<typeof callback>));
      });
    },
  });
  atEnd(() => agent.destroy());
  const bytes = () =>
    sockets.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  return { agent, bytes };
}

export interface Phone {
  counts: LiveCounts | undefined;
  /**
   * Sends one request, as the map does every 15 s.
   * @param fresh true for the request that the map sends after the user's own command
   */
  poll(fresh?: boolean): Promise<void>;
}

/** @param base URL of the host */
export function makePhone(agent: Dispatcher, base: string, anonKey: string): Phone {
  let last: { url: string; etag: string | undefined } | undefined;
  const phone: Phone = {
    counts: undefined,
    async poll(fresh = false) {
      const now = Date.now();
      const known =
        phone.counts && now - phone.counts.completeAt < 600_000 ? phone.counts : undefined;
      const query = new URLSearchParams({
        ...(known && { p_since: String(known.at) }),
        ...(fresh && { p_fresh: 'true' }),
        apikey: anonKey,
      });
      const url = `${base}/rest/v1/rpc/live_counts?${query}`;
      // Revalidates a cached response, as a browser does.
      const validator = last?.url === url && last.etag ? { 'if-none-match': last.etag } : {};
      const response = await send(agent, url, { headers: { ...CHROME, ...validator } });
      const { status, text } = response;
      last = { url, etag: response.headers.etag };
      if (status === 304) return;
      if (status !== 200) throw new Error(`live_counts: ${status} ${text}`);
      phone.counts = applyLiveResponse(known, JSON.parse(text) as LiveResponse, now);
    },
  };
  return phone;
}
