// The page that a notification opens: in the app's list and in pushes on phones and browsers.
type Id = number | string | null | undefined;

interface TargetFacts {
  type: string;
  sender_id?: Id;
  park_id?: Id;
  dog_id?: Id;
  /** User whose profile shows the dog. */
  owner_id?: Id;
  lost_id?: Id;
}

/** Returns the page of the notification's subject, otherwise the sender's page; null if neither is known. */
export function notificationTarget(facts: TargetFacts): string | null {
  const { type, sender_id, park_id, dog_id, owner_id, lost_id } = facts;
  if (type === 'deskWaiting') return '/desk';
  if (type === 'mailsFail') return '/desk/site';
  if (dog_id && owner_id) return `/profile/${owner_id}/dogs/${dog_id}`;
  if (lost_id) return `/?lost=${lost_id}`;
  if (park_id) return `/parks/${park_id}`;
  return sender_id ? `/profile/${sender_id}` : null;
}

/** Friend requests open the list, where they can be accepted, and so do unknown types. */
export const pushPage = (facts: TargetFacts): string =>
  (facts.type === 'friendRequest' ? null : notificationTarget(facts)) ?? '/notifications';
