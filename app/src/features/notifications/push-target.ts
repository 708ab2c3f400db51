// Which screen a tapped push opens. What it carries came through others' servers: only ids of the right shape are used.
import * as v from 'valibot';
import { NOTIFICATION_TYPES } from '#/features/notifications/notification.ts';

/** Everything is text in a push. */
const pushSchema = v.object({
  type: v.picklist(NOTIFICATION_TYPES),
  notification_id: v.pipe(v.string(), v.uuid()),
  park_id: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/))),
  sender_id: v.optional(v.pipe(v.string(), v.uuid())),
});

export interface PushTarget {
  path: string;
  notificationId: string | null;
}

/** The park of an invite, the new friend of an approval; for a request the list, where it is answered; the list also for all else. */
export function pushTarget(data: unknown): PushTarget {
  const { success, output } = v.safeParse(pushSchema, data);
  if (!success) return { path: '/notifications', notificationId: null };
  const { type, notification_id: notificationId, park_id, sender_id } = output;
  const isInvite = type === 'parkInvite' || type === 'parkInviteResponse';
  let path = '/notifications';
  if (isInvite && park_id) path = `/parks/${park_id}`;
  if (type === 'friendApproval' && sender_id) path = `/profile/${sender_id}`;
  return { path, notificationId };
}
