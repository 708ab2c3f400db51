// POST send-push {type?}: sends due pushes of one type or of all types. Each push is leased before it is sent, so two senders never
// send the same push. After a crash, a push that was already sent may be sent again with the same ID, and the phone shows it once.
import { requireService, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { json, serve } from '../_shared/serve.ts';
import { pushPage } from '../../../shared/notification-target.ts';
import { createFcm, type Fcm } from './fcm.ts';
import { createWebPush, type Outcome, type WebPush } from './web-push.ts';

const BATCH = 20;
/**
 * Maximum number of pushes that are sent concurrently. It is more than the pushes that wait for an unresponsive service, so that
 * others continue.
 */
const MAX_AT_ONCE = 100;
/** Milliseconds between two queries for due pushes while others are being sent. */
const LOOK_AGAIN_MS = 200;
/** Milliseconds after which a run ends. The next run retries the services that did not respond. */
const RUN_MS = 10_000;

type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>[number];

async function claim(client: ServiceClient, type: string) {
  return unwrap(await client.rpc('claim_pushes', { p_limit: BATCH, p_type: type }));
}

const extras = ({ data }: Claimed) => (data ?? {}) as Record<string, unknown>;

/** Converts all values to strings, because FCM accepts no other type. */
const dataOf = (push: Claimed): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(extras(push)).map(([name, value]) => [name, String(value)])),
  type: push.type,
  notification_id: push.notification_id,
});

/** Sends the due pushes of a type until none is left or the run's time is over. */
async function drain(
  client: ServiceClient,
  type: string,
  counts: Record<string, number>,
  send: (push: Claimed) => Promise<Outcome>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const carryOut = async (push: Claimed) => {
    const outcome = await send(push);
    unwrap(
      await client.rpc('finish_push', {
        p_id: push.id,
        p_lease: push.lease,
        p_result: outcome.result,
        ...(outcome.result === 'retry' && outcome.retryAfter !== null
          ? { p_retry_seconds: outcome.retryAfter }
          : {}),
      }),
    );
    counts[outcome.result] = (counts[outcome.result] ?? 0) + 1;
  };
  const start = (push: Claimed) => {
    const carriedOut: Promise<void> = carryOut(push)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(carriedOut));
    underWay.add(carriedOut);
  };
  for (const end = Date.now() + RUN_MS; failures.length === 0 && Date.now() < end;) {
    const pushes = underWay.size + BATCH <= MAX_AT_ONCE ? await claim(client, type) : [];
    pushes.forEach(start);
    if (pushes.length === BATCH) continue;
    if (underWay.size === 0) return;
    await Promise.race([
      ...underWay,
      new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS)),
    ]);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}

let fcm: Fcm | null = null;

serve('POST', async (request) => {
  requireService(request);
  const { type = null } = (await request.json().catch(() => ({}))) as { type?: string | null };
  const envFor = (name: string, of: string) =>
    type === null || type === of ? Deno.env.get(name) : undefined;
  const account = envFor('FCM_SERVICE_ACCOUNT', 'send-push');
  const key = envFor('VAPID_KEY', 'send-web-push');
  const site = Deno.env.get('SITE_URL') ?? 'http://localhost:3000';
  const client = serviceClient();
  const counts: Record<string, number> = {};
  const drains: Promise<void>[] = [];
  if (account) {
    fcm ??= createFcm(account, Deno.env.get('FCM_URL') ?? 'https://fcm.googleapis.com');
    const sender = fcm;
    drains.push(
      drain(client, 'send-push', counts, (push) =>
        sender.send({
          token: push.token,
          id: push.notification_id,
          title: push.title,
          body: push.body,
          data: dataOf(push),
          quiet: push.urgency === 'low',
        }),
      ),
    );
  }
  if (key) {
    const web = createWebPush(key, site, Deno.env.get('WEB_PUSH_URL'));
    const send = (push: Claimed) =>
      web.send({
        ...push,
        urgency: push.urgency as WebPush['urgency'],
        url: `${site}${pushPage({ ...extras(push), type: push.type })}`,
      });
    drains.push(drain(client, 'send-web-push', counts, send));
  }
  await Promise.all(drains);
  return json({ configured: drains.length > 0, ...counts });
});
