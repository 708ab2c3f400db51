// Sends text messages through a webhook, in the format of GoTrue's send-SMS hook and signed according to Standard Webhooks.
import { createHmac, randomUUID } from 'node:crypto';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth } from '#/host/auth/context.ts';

/**
 * Sends a code to the webhook.
 * @param phone in E.164 format, with the +
 * @throws AuthError 422 sms_send_failed
 */
export async function sendCode(
  auth: Auth,
  userId: string,
  phone: string,
  otp: string,
): Promise<void> {
  const { SMS_WEBHOOK_URL = '', SMS_WEBHOOK_SECRET } = auth.settings;
  const body = JSON.stringify({
    user: { id: userId, phone },
    sms: { otp, phone, sms_type: 'mfa' },
  });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (SMS_WEBHOOK_SECRET !== undefined) {
    const id = randomUUID();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SMS_WEBHOOK_SECRET.replace('v1,whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    headers['webhook-id'] = id;
    headers['webhook-timestamp'] = timestamp;
    headers['webhook-signature'] = `v1,${signature.digest('base64')}`;
  }
  const signal = AbortSignal.timeout(10_000);
  const reason = await fetch(SMS_WEBHOOK_URL, { method: 'POST', headers, body, signal }).then(
    async (result) => {
      await result.body?.cancel();
      return result.ok ? null : `status ${result.status}`;
    },
    (error: Error) => error.message,
  );
  if (reason === null) return;
  auth.log.warn({ error: reason }, 'the SMS webhook failed');
  throw new AuthError(422, 'sms_send_failed', 'Error sending the code by SMS');
}
