// POST send-push: sends the jobs of this kind. A push is leased before it is sent, so two senders never send the same one;
// one that was sent just before a crash is sent again under the same id, and the phone shows it once.
import { requireService, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { json, serve } from '../_shared/serve.ts';
import { createFcm, type Fcm } from './fcm.ts';

/** How many are leased at a time and sent concurrently. */
const BATCH = 20;

type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>[number];

async function claim(client: ServiceClient) {
  return unwrap(await client.rpc('claim_pushes', { p_limit: BATCH }));
}

/** Everything as text, which is all that FCM carries. */
function dataOf({ type, notification_id, data }: Claimed): Record<string, string> {
  const entries = Object.entries((data ?? {}) as Record<string, unknown>);
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
    type,
    notification_id,
  };
}

async function sendOne(client: ServiceClient, fcm: Fcm, push: Claimed): Promise<string> {
  const outcome = await fcm.send({
    token: push.token,
    id: push.notification_id,
    title: push.title,
    body: push.body,
    data: dataOf(push),
  });
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
  return outcome.result;
}

let fcm: Fcm | null = null;

serve('POST', async (request) => {
  requireService(request);
  const account = Deno.env.get('FCM_SERVICE_ACCOUNT');
  if (!account) return json({ configured: false });
  fcm ??= createFcm(account, Deno.env.get('FCM_URL') ?? 'https://fcm.googleapis.com');
  const sender = fcm;
  const client = serviceClient();
  const counts: Record<string, number> = {};
  for (;;) {
    const pushes = await claim(client);
    const results = await Promise.all(pushes.map((push) => sendOne(client, sender, push)));
    for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
    if (pushes.length < BATCH) return json({ configured: true, ...counts });
  }
});
