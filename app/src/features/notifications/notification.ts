// What a notification is, and the pure rules of the cached lists: newest first, no doubles, 200 at most.
export const NOTIFICATION_TYPES = [
  'friendRequest',
  'friendApproval',
  'parkInvite',
  'parkInviteResponse',
] as const;

export interface AppNotification {
  id: string;
  type: (typeof NOTIFICATION_TYPES)[number];
  sender_id: string | null;
  title: string;
  /** In the receiver's language, composed by the server. */
  app_message: string;
  read_at: string | null;
  seen_at: string | null;
  created_at: string;
  data: { park_id?: number; invite_id?: string; accepted?: boolean };
  sender: { id: string; name: string } | null;
}

/** The cache holds at most this many. */
export const MOST_CACHED = 200;

/** Adds one to the front; one that is there already moves. */
export function addToFront(
  list: readonly AppNotification[],
  notification: AppNotification,
): AppNotification[] {
  return [notification, ...list.filter((other) => other.id !== notification.id)].slice(
    0,
    MOST_CACHED,
  );
}

/** Where a tap on a notification leads. */
export function targetOf(
  notification: AppNotification,
): { kind: 'person'; id: string } | { kind: 'park'; id: number } | null {
  const { type, data, sender_id } = notification;
  if ((type === 'parkInvite' || type === 'parkInviteResponse') && data.park_id !== undefined)
    return { kind: 'park', id: data.park_id };
  return sender_id ? { kind: 'person', id: sender_id } : null;
}
