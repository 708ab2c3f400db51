// A bare WebSocket to a host's realtime, for what the official client never does.
import WebSocket from 'ws';

/** A message as version 2.0.0 of the serializer has it: join reference, reference, topic, event and payload. */
export type Frame = [string | null, string | null, string, string, Record<string, unknown>];

/** Opens a socket; `status` is 101, or that of the refusal, and `heard` what arrives from then on. */
export function openSocket(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<{ ws: WebSocket; status: number; heard: Frame[] }> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`, {
    headers,
  });
  const heard: Frame[] = [];
  ws.on('message', (frame) => heard.push(JSON.parse(String(frame)) as Frame));
  return new Promise((resolve, reject) => {
    // Once it is open or refused, that changes nothing.
    ws.on('error', reject);
    ws.on('unexpected-response', (_asked, { statusCode = 0 }) => {
      resolve({ ws, status: statusCode, heard });
      ws.terminate();
    });
    ws.on('open', () => resolve({ ws, status: 101, heard }));
  });
}
