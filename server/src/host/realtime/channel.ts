// A channel: a topic that a socket has joined, with its claims, their expiry and its subscriptions.
import type { Claims } from '#/host/lib/tokens.ts';
import type { Subscription, Subscriptions } from '#/host/realtime/subscriptions.ts';

export interface ChannelSocket {
  /** Sends a message on the channel. @param payloadJson the payload as JSON text */
  push(channel: Channel, event: string, payloadJson: string): void;
  /** Sends a database change on the channel, limited to the client's rate. */
  pushChange(channel: Channel, payloadJson: string): void;
  closed(channel: Channel): void;
}

export interface Channel {
  readonly topic: string;
  readonly joinRef: string | null;
  readonly claims: Claims;
  /** Replaces the claims, and the subscriptions by those that the new claims allow. */
  reauthorize(claims: Claims, accepted: Omit<Subscription, 'channel'>[]): void;
  /** Sends a change to the subscriptions with these ids. */
  deliver(ids: number[], dataJson: string): void;
  /** Sends a message about the channel itself, as event `system`. */
  system(status: 'ok' | 'error', extension: string, message: string): void;
  /** Closes the channel and sends a reason; with `retry`, clients join again automatically. */
  close(reason: string, retry?: boolean): void;
  /** Closes the channel without a message, because the client has left. */
  leave(): void;
}

/** The maximum delay of setTimeout. If a token is valid for longer, its expiry is checked again after this delay. */
const MAX_TIMER = 2 ** 31 - 1;

export function createChannel(
  socket: ChannelSocket,
  subscriptions: Subscriptions,
  topic: string,
  joinRef: string | null,
): Channel {
  let listening: Subscription[] = [];
  let claims: Claims = { role: 'anon' };
  let open = true;
  let expiry: NodeJS.Timeout | undefined;

  function watchExpiry(): void {
    clearTimeout(expiry);
    if (claims.exp === undefined) return;
    const left = claims.exp * 1000 - Date.now();
    expiry = setTimeout(
      () => (left > MAX_TIMER ? watchExpiry() : channel.close('Access token has expired')),
      Math.min(Math.max(left, 0), MAX_TIMER),
    );
    expiry.unref();
  }

  const channel: Channel = {
    topic,
    joinRef,
    get claims() {
      return claims;
    },
    reauthorize(next, accepted) {
      if (!open) return;
      claims = next;
      for (const subscription of listening) subscriptions.remove(subscription);
      listening = accepted.map((part) => ({ ...part, channel }));
      for (const subscription of listening) subscriptions.add(subscription);
      watchExpiry();
    },
    deliver(ids, dataJson) {
      if (open) socket.pushChange(channel, `{"data":${dataJson},"ids":[${ids.join(',')}]}`);
    },
    system(status, extension, message) {
      const payload = { channel: topic.replace(/^realtime:/, ''), extension, message, status };
      socket.push(channel, 'system', JSON.stringify(payload));
    },
    close(reason, retry = false) {
      if (!open) return;
      channel.system('error', 'system', reason);
      socket.push(channel, retry ? 'phx_error' : 'phx_close', '{}');
      channel.leave();
      socket.closed(channel);
    },
    leave() {
      open = false;
      clearTimeout(expiry);
      for (const subscription of listening) subscriptions.remove(subscription);
    },
  };
  return channel;
}
