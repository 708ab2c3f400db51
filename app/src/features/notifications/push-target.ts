// Chooses the screen that a tapped push opens. IDs are validated, because other servers have transmitted the push.
import * as v from 'valibot';
import { NOTIFICATION_TYPES } from '../../../../shared/enums.ts';
import { pushPage } from '../../../../shared/notification-target.ts';

const id = v.optional(v.pipe(v.string(), v.uuid()));

/** All values of a push are strings. */
const pushSchema = v.object({
  type: v.picklist(NOTIFICATION_TYPES),
  notification_id: v.pipe(v.string(), v.uuid()),
  park_id: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/))),
  sender_id: id,
  dog_id: id,
  owner_id: id,
  lost_id: id,
});

export function pushTarget(data: unknown): { path: string; notificationId: string | null } {
  const { success, output } = v.safeParse(pushSchema, data);
  return success
    ? { path: pushPage(output), notificationId: output.notification_id }
    : { path: '/notifications', notificationId: null };
}
