// One WebSocket: its incoming messages, channels and limits. A client that sends too much or reads too slowly is disconnected.
import * as v from 'valibot';
import type { WebSocket } from 'ws';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';
import type { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import { RateLimitedQueue } from '#/host/limits/rate-limited-queue.ts';
import { TokenBucket } from '#/host/limits/token-bucket.ts';
import type { Access } from '#/host/realtime/access.ts';
import { createChannel, type Channel, type ChannelSocket } from '#/host/realtime/channel.ts';
import { joinSchema, parseBinding, resolveBindings, type Binding } from '#/host/realtime/join.ts';
import type { Subscriptions } from '#/host/realtime/subscriptions.ts';
import { decode, encode, type Message, type Version } from '#/host/realtime/wire.ts';

interface Parts {
  tokens: Tokens;
  access: Access;
  subscriptions: Subscriptions;
  socketsByUser: KeyedCounter;
}

const MAX_CHANNELS = 100;
/**
 * Maximum of messages per second from the client, including joins and heartbeats. A client that reconnects joins all its channels
 * at the same time.
 */
const MAX_MESSAGES_PER_SECOND = 200;
/** Maximum of bytes per second from the client, enough to join all channels of one socket at the same time. */
const MAX_BYTES_PER_SECOND = 256 * 1024;
/**
 * Maximum of changes per second to the client, as on Supabase. More are queued; if the queue is full, the client's channels are
 * closed.
 */
const CHANGES = { perSecond: 10, capacity: 200 };
/** Maximum bytes of client messages that are queued while the database is slow. */
const MAX_QUEUED_BYTES = 2 * 1024 * 1024;
/** Maximum length of all bindings of one socket, in characters of JSON. */
const MAX_BINDINGS_LENGTH = 64 * 1024;
const MAX_UNREAD_BYTES = 1024 * 1024;
const NOT_OFFERED = 'This host offers postgres_changes only, neither broadcast nor presence';

/** Bindings are numbered within the process. A client only receives the numbers of the bindings that it requested. */
let lastBindingId = 0;

export interface Connection {
  silence(): number;
  /** Makes the client join all its channels again and refetch, because it may have missed changes. */
  resync(): void;
  sessions(): string[];
  /** Closes the channels of these sessions and users. */
  endRevoked(ids: ReadonlySet<string>): void;
}

/**
 * Handles one socket until it closes.
 * @param keyClaims the claims of the API key, which apply to channels without a token
 */
export function serveSocket(
  parts: Parts,
  ws: WebSocket,
  version: Version,
  keyClaims: Claims,
): Connection {
  const { tokens, access, subscriptions, socketsByUser } = parts;
  const channels = new Map<string, Channel>();
  const bindingsOf = new WeakMap<Channel, Binding[]>();
  /** The users of all tokens that this socket has used. The socket counts towards the limit of each. */
  const subjects = new Set<string>();
  const messages = new TokenBucket(MAX_MESSAGES_PER_SECOND);
  const bytes = new TokenBucket(MAX_BYTES_PER_SECOND);
  let lastMessageAt = performance.now();

  function write(text: string): void {
    if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
    else if (ws.readyState === ws.OPEN) ws.send(text);
  }

  const changes = new RateLimitedQueue<{ channel: Channel; payloadJson: string }>({
    ...CHANGES,
    send({ channel, payloadJson }) {
      if (channels.get(channel.topic) === channel)
        socket.push(channel, 'postgres_changes', payloadJson);
    },
    onOverflow() {
      for (const channel of channels.values()) channel.close('Too many messages per second', true);
    },
  });

  const socket: ChannelSocket = {
    push(channel, event, payloadJson) {
      const { joinRef, topic } = channel;
      write(encode(version, { joinRef, ref: null, topic, event, payloadJson }));
    },
    pushChange: (channel, payloadJson) => changes.push({ channel, payloadJson }),
    closed: (channel) => channels.delete(channel.topic),
  };

  function reply(to: Message, status: 'ok' | 'error', response: object): void {
    const { joinRef, ref, topic } = to;
    const payloadJson = JSON.stringify({ status, response });
    write(encode(version, { joinRef, ref, topic, event: 'phx_reply', payloadJson }));
  }

  const claimsOf = (token: string | null | undefined): Promise<Claims> =>
    token ? tokens.verify(token) : Promise.resolve(keyClaims);

  /** Returns true if the user may open another socket. */
  function admits({ sub }: Claims): boolean {
    if (sub === undefined || subjects.has(sub)) return true;
    if (ws.readyState !== ws.OPEN || !socketsByUser.tryAcquire(sub)) return false;
    subjects.add(sub);
    return true;
  }

  /** Returns the length of the bindings of all other channels, in characters of JSON. */
  const bindingsLength = (exceptTopic: string): number =>
    [...channels.values()]
      .filter(({ topic }) => topic !== exceptTopic)
      .reduce((sum, channel) => sum + JSON.stringify(bindingsOf.get(channel) ?? []).length, 0);

  async function join(message: Message): Promise<void> {
    const reject = (reason: string) => reply(message, 'error', { reason });
    const { success, output } = v.safeParse(joinSchema, message.payload);
    if (!success || !message.topic.startsWith('realtime:')) return reject('Unmatched topic');
    const { config } = output;
    if (config.presence?.enabled) return reject(NOT_OFFERED);
    if (config.postgres_changes.some((entry) => v.is(v.object({ select: v.any() }), entry)))
      return reject('This host offers no select of columns in postgres_changes');
    if (config.private) return reject('Unauthorized: this host offers no private channels');
    if (channels.size >= MAX_CHANNELS && !channels.has(message.topic))
      return reject('ChannelRateLimitReached: Too many channels');
    let claims: Claims;
    try {
      claims = await claimsOf(output.access_token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return reject(
        error.reason === 'expired'
          ? 'InvalidJWTToken: Token has expired'
          : 'MalformedJWT: The token provided is not a valid JWT',
      );
    }
    if (!admits(claims))
      return reject('ConnectionRateLimitReached: Too many connections of this user');
    const bindings = config.postgres_changes.map((entry) =>
      parseBinding((lastBindingId += 1), entry),
    );
    if (JSON.stringify(bindings).length + bindingsLength(message.topic) > MAX_BINDINGS_LENGTH)
      return reject('ChannelRateLimitReached: Too many changes to listen to');
    const { accepted, rejection } = await resolveBindings(access, claims, bindings);
    if (ws.readyState !== ws.OPEN) return;
    channels.get(message.topic)?.leave();
    const channel = createChannel(socket, subscriptions, message.topic, message.joinRef);
    channels.set(message.topic, channel);
    bindingsOf.set(channel, bindings);
    channel.reauthorize(claims, accepted);
    reply(message, 'ok', { postgres_changes: bindings });
    if (bindings.length > 0) confirm(channel, rejection);
  }

  function confirm(channel: Channel, rejection: string | null): void {
    channel.system(
      rejection === null ? 'ok' : 'error',
      'postgres_changes',
      rejection ?? 'Subscribed to PostgreSQL',
    );
  }

  /** Handles a new token for an open channel: checks the subscriptions again with the new claims. */
  async function refresh(channel: Channel, payload: unknown): Promise<void> {
    const { success, output } = v.safeParse(joinSchema, payload);
    try {
      const claims = await claimsOf(success ? output.access_token : null);
      if (!admits(claims)) return channel.close('Too many connections of this user');
      const bindings = bindingsOf.get(channel) ?? [];
      const { accepted, rejection } = await resolveBindings(access, claims, bindings);
      const roleBefore = channel.claims.role;
      channel.reauthorize(claims, accepted);
      if (bindings.length > 0 && roleBefore !== claims.role) confirm(channel, rejection);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      channel.close(`Access token ${error.reason === 'expired' ? 'has expired' : 'is not valid'}`);
    }
  }

  async function handle(message: Message): Promise<void> {
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

  // Messages are handled one after the other, so that a leave is not handled before its join.
  let previous: Promise<void> = Promise.resolve();
  let queuedBytes = 0;
  ws.on('message', (frame: Buffer, binary) => {
    lastMessageAt = performance.now();
    const tooMany =
      !messages.tryTake() || !bytes.tryTake(frame.length) || queuedBytes > MAX_QUEUED_BYTES;
    const message = tooMany ? null : decode(version, frame, binary);
    if (!message) return ws.close(1008, tooMany ? 'Too many messages' : '');
    queuedBytes += frame.length;
    previous = previous
      .then(() => handle(message))
      .catch(() => ws.close(1011))
      .finally(() => (queuedBytes -= frame.length));
  });
  ws.on('close', () => {
    changes.stop();
    for (const channel of channels.values()) channel.leave();
    channels.clear();
    subjects.forEach((sub) => socketsByUser.release(sub));
    subjects.clear();
  });
  ws.on('error', () => ws.terminate());

  return {
    silence: () => performance.now() - lastMessageAt,
    resync() {
      for (const channel of [...channels.values()])
        channel.close('Changes may have been missed, join again', true);
    },
    sessions: () => [...channels.values()].flatMap(({ claims }) => claims.session_id ?? []),
    endRevoked(ids) {
      for (const channel of [...channels.values()])
        if (ids.has(channel.claims.session_id ?? '') || ids.has(channel.claims.sub ?? ''))
          channel.close('The session has ended');
    },
  };
}
