// A raw WebSocket to the host's realtime service, for messages that the official client never sends.
import WebSocket from 'ws';

/** A message of serializer version 2.0.0: join reference, reference, topic, event and payload. */
export type Frame = [string | null, string | null, string, string, Record<string, unknown>];

/** Opens a socket. `status` is 101 or the status of the rejection; `received` collects the messages received. */
export function openSocket(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<{ ws: WebSocket; status: number; received: Frame[] }> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`, {
    headers,
  });
  const received: Frame[] = [];
  ws.on('message', (frame) => received.push(JSON.parse(String(frame)) as Frame));
  return new Promise((resolve, reject) => {
    // Has no effect once the socket is open or rejected.
    ws.on('error', reject);
    ws.on('unexpected-response', (_asked, { statusCode = 0 }) => {
      resolve({ ws, status: statusCode, received });
      ws.terminate();
    });
    ws.on('open', () => resolve({ ws, status: 101, received }));
  });
}
