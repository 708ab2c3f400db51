// Which screen a tapped push opens. Its data passed through other servers, so only ids of the right shape are used.
import * as v from 'valibot';
import { NOTIFICATION_TYPES, targetPath } from '#/features/notifications/notification.ts';

/** All values of a push are strings. */
const pushSchema = v.object({
  type: v.picklist(NOTIFICATION_TYPES),
  notification_id: v.pipe(v.string(), v.uuid()),
  park_id: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/))),
  sender_id: v.optional(v.pipe(v.string(), v.uuid())),
});

interface PushTarget {
  path: string;
  notificationId: string | null;
}

const LIST = '/notifications';

/** Leads where the notification itself leads; a request opens the list, where it is answered, and so does anything unknown. */
export function pushTarget(data: unknown): PushTarget {
  const { success, output } = v.safeParse(pushSchema, data);
  if (!success) return { path: LIST, notificationId: null };
  const { type, notification_id: notificationId, park_id: parkId, sender_id } = output;
  const path = targetPath({ type, senderId: sender_id ?? null, parkId });
  return { path: type === 'friendRequest' ? LIST : (path ?? LIST), notificationId };
}
