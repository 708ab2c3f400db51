// The user's response to a notification in the cache, for the commands that respond to invites and friend requests.

export interface Respondable {
  type: string;
  sender_id: string | null;
  /** `accepted` is the user's response, if there is one. */
  data: { invite_id?: string; accepted?: boolean };
}

export const withAccepted = <Notification extends Respondable>(
  notifications: readonly Notification[] | undefined,
  isMeant: (notification: Notification) => boolean,
  accepted: boolean,
): readonly Notification[] | undefined =>
  notifications?.map((each) =>
    isMeant(each) ? { ...each, data: { ...each.data, accepted } } : each,
  );
