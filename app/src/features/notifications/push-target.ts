// Which screen a tapped push opens. What it carries came through others' servers: only ids of the right shape are used.
import * as v from 'valibot';
import { NOTIFICATION_TYPES } from '#/features/notifications/notification.ts';

/** Everything is text in a push. */
const pushSchema = v.object({
  type: v.picklist(NOTIFICATION_TYPES),
  notification_id: v.pipe(v.string(), v.uuid()),
  park_id: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/))),
});

export interface PushTarget {
  path: string;
  notificationId: string | null;
  /** It is about its sender, whose page is the better place where it can be found out. */
  isPerson: boolean;
}

/** The park of an invite; for a request the list, where it is answered; the list also for all else. */
export function pushTarget(data: unknown): PushTarget {
  const { success, output } = v.safeParse(pushSchema, data);
  if (!success) return { path: '/notifications', notificationId: null, isPerson: false };
  const { type, notification_id: notificationId, park_id } = output;
  const isInvite = type === 'parkInvite' || type === 'parkInviteResponse';
  return {
    path: isInvite && park_id ? `/parks/${park_id}` : '/notifications',
    notificationId,
    isPerson: type === 'friendApproval',
  };
}
