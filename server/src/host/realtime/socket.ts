// One WebSocket: its messages in, its channels, and its limits. Who sends too much or reads too slowly is dropped.
import * as v from 'valibot';
import type { WebSocket } from 'ws';
import type { Places } from '#/host/lib/places.ts';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';
import type { Access } from '#/host/realtime/access.ts';
import { createChannel, type Channel, type ChannelSocket } from '#/host/realtime/channel.ts';
import { joinSchema, readWishes, toWish, type Wish } from '#/host/realtime/join.ts';
import { createPace } from '#/host/realtime/pace.ts';
import type { Subscriptions } from '#/host/realtime/subscriptions.ts';
import { decode, encode, type Message, type Version } from '#/host/realtime/wire.ts';

interface Parts {
  tokens: Tokens;
  access: Access;
  subscriptions: Subscriptions;
  /** The sockets that each user holds. */
  people: Places;
}

const MAX_CHANNELS = 100;
/** Joins and heartbeats included; a client that comes back joins all its channels at once. */
const MAX_MESSAGES_A_SECOND = 200;
/** Bytes of messages that wait for their turn while the database is slow. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;
/** Characters of all that the channels of one socket want to hear. */
const MAX_WISHES = 64 * 1024;
const MAX_UNREAD_BYTES = 1024 * 1024;
const NOT_OFFERED = 'This host offers postgres_changes only, neither broadcast nor presence';

/** Unique within the process; a client only hears of its own. */
let lastId = 0;

export interface Connection {
  /** Milliseconds since something came from the client. */
  silence(): number;
  /** Makes the client join all its channels again: changes may have been missed. */
  resync(): void;
  /** The sessions whose tokens its channels carry. */
  sessions(): string[];
  /** Ends the channels of sessions that are over. */
  endSessions(over: ReadonlySet<string>): void;
}

/**
 * Serves one open socket until it closes.
 * @param keyClaims the claims of the API key, which hold where a channel brings no token of its own
 */
export function serveSocket(
  parts: Parts,
  ws: WebSocket,
  version: Version,
  keyClaims: Claims,
): Connection {
  const { tokens, access, subscriptions, people } = parts;
  const channels = new Map<string, Channel>();
  const wishesOf = new WeakMap<Channel, Wish[]>();
  /** Whom this socket has spoken for. */
  const subjects = new Set<string>();
  let heardAt = Date.now();
  let second = 0;
  let count = 0;

  function write(text: string): void {
    if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
    else if (ws.readyState === ws.OPEN) ws.send(text);
  }

  const pace = createPace<{ channel: Channel; payloadJson: string }>(
    ({ channel, payloadJson }) => {
      if (channels.get(channel.topic) === channel)
        socket.push(channel, 'postgres_changes', payloadJson);
    },
    () => {
      for (const channel of channels.values()) channel.close('Too many messages per second', true);
    },
  );

  const socket: ChannelSocket = {
    push(channel, event, payloadJson) {
      const { joinRef, topic } = channel;
      write(encode(version, { joinRef, ref: null, topic, event, payloadJson }));
    },
    pushChange: (channel, payloadJson) => pace.put({ channel, payloadJson }),
    closed: (channel) => channels.delete(channel.topic),
  };

  function reply(to: Message, status: 'ok' | 'error', response: object): void {
    const { joinRef, ref, topic } = to;
    const payloadJson = JSON.stringify({ status, response });
    write(encode(version, { joinRef, ref, topic, event: 'phx_reply', payloadJson }));
  }

  /** @throws TokenError */
  const claimsOf = (token: string | null | undefined): Promise<Claims> =>
    token ? tokens.verify(token) : Promise.resolve(keyClaims);

  /** Whether one more socket may speak for this user; a socket counts once for each. */
  function admits({ sub }: Claims): boolean {
    if (sub === undefined || subjects.has(sub)) return true;
    if (ws.readyState !== ws.OPEN || !people.take(sub)) return false;
    subjects.add(sub);
    return true;
  }

  /** The length of what all other channels want to hear. */
  const heldWishes = (besides: string): number =>
    [...channels.values()]
      .filter(({ topic }) => topic !== besides)
      .reduce((sum, channel) => sum + JSON.stringify(wishesOf.get(channel) ?? []).length, 0);

  async function join(message: Message): Promise<void> {
    const refuse = (reason: string) => reply(message, 'error', { reason });
    const { success, output } = v.safeParse(joinSchema, message.payload);
    if (!success || !message.topic.startsWith('realtime:')) return refuse('Unmatched topic');
    const { config } = output;
    if (config.private) return refuse('Unauthorized: this host offers no private channels');
    if (channels.size >= MAX_CHANNELS && !channels.has(message.topic))
      return refuse('ChannelRateLimitReached: Too many channels');
    let claims: Claims;
    try {
      claims = await claimsOf(output.access_token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return refuse(
        error.reason === 'expired'
          ? 'InvalidJWTToken: Token has expired'
          : 'MalformedJWT: The token provided is not a valid JWT',
      );
    }
    if (!admits(claims))
      return refuse('ConnectionRateLimitReached: Too many connections of this user');
    const wishes = config.postgres_changes.map((said) => toWish((lastId += 1), said));
    if (JSON.stringify(wishes).length + heldWishes(message.topic) > MAX_WISHES)
      return refuse('ChannelRateLimitReached: Too many changes to listen to');
    const { wanted, refused } = await readWishes(access, claims, wishes);
    if (ws.readyState !== ws.OPEN) return;
    channels.get(message.topic)?.leave();
    const channel = createChannel(socket, subscriptions, message.topic, message.joinRef);
    channels.set(message.topic, channel);
    wishesOf.set(channel, wishes);
    channel.become(claims, wanted);
    reply(message, 'ok', { postgres_changes: wishes });
    if (config.presence?.enabled) socket.push(channel, 'presence_state', '{}');
    if (wishes.length > 0) confirm(channel, refused);
  }

  function confirm(channel: Channel, refused: string | null): void {
    channel.system(
      refused === null ? 'ok' : 'error',
      'postgres_changes',
      refused ?? 'Subscribed to PostgreSQL',
    );
  }

  /** A token over the open socket: everything is asked again with it. */
  async function refresh(channel: Channel, payload: unknown): Promise<void> {
    const { success, output } = v.safeParse(joinSchema, payload);
    try {
      const claims = await claimsOf(success ? output.access_token : null);
      if (!admits(claims)) return channel.close('Too many connections of this user');
      const wishes = wishesOf.get(channel) ?? [];
      const { wanted, refused } = await readWishes(access, claims, wishes);
      const before = channel.claims.role;
      channel.become(claims, wanted);
      if (wishes.length > 0 && before !== claims.role) confirm(channel, refused);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      channel.close(`Access token ${error.reason === 'expired' ? 'has expired' : 'is not valid'}`);
    }
  }

  async function take(message: Message): Promise<void> {
    if (message.topic === 'phoenix') return reply(message, 'ok', {});
    if (message.event === 'phx_join') return join(message);
    const channel = channels.get(message.topic);
    if (!channel) return reply(message, 'error', { reason: 'unmatched topic' });
    switch (message.event) {
      case 'phx_leave':
        channel.leave();
        channels.delete(message.topic);
        return reply(message, 'ok', {});
      case 'access_token':
        return refresh(channel, message.payload);
      default:
        channel.system('error', message.event, NOT_OFFERED);
        return reply(message, 'error', { reason: NOT_OFFERED });
    }
  }

  // One after the other: a leave must not overtake its join.
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  ws.on('message', (frame: Buffer, binary) => {
    heardAt = Date.now();
    const now = Math.floor(heardAt / 1000);
    [second, count] = now === second ? [second, count + 1] : [now, 1];
    const tooMany = count > MAX_MESSAGES_A_SECOND || waiting > MAX_WAITING_BYTES;
    const message = tooMany ? null : decode(version, frame, binary);
    if (!message) return ws.close(1008, tooMany ? 'Too many messages' : '');
    waiting += frame.length;
    turn = turn
      .then(() => take(message))
      .catch(() => ws.close(1011))
      .finally(() => (waiting -= frame.length));
  });
  ws.on('close', () => {
    pace.stop();
    for (const channel of channels.values()) channel.leave();
    channels.clear();
    subjects.forEach((sub) => people.free(sub));
    subjects.clear();
  });
  ws.on('error', () => ws.terminate());

  return {
    silence: () => Date.now() - heardAt,
    resync() {
      for (const channel of [...channels.values()])
        channel.close('Changes may have been missed, join again', true);
    },
    sessions: () => [...channels.values()].flatMap(({ claims }) => claims.session_id ?? []),
    endSessions(over) {
      for (const channel of [...channels.values()])
        if (over.has(channel.claims.session_id ?? '')) channel.close('The session has ended');
    },
  };
}
