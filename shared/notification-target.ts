// The page that a notification leads to: in the app's list, and in the pushes of phones and browsers alike.
type Id = number | string | null | undefined;

interface TargetFacts {
  type: string;
  sender_id?: Id;
  park_id?: Id;
  dog_id?: Id;
  /** In whose profile the receiver finds the dog. */
  owner_id?: Id;
  lost_id?: Id;
}

/** What it is about, else the sender's page; null where that is unknown. */
export function notificationTarget(facts: TargetFacts): string | null {
  const { type, sender_id, park_id, dog_id, owner_id, lost_id } = facts;
  if (type === 'deskWaiting') return '/desk';
  if (type === 'mailsFail') return '/desk/site';
  if (dog_id && owner_id) return `/profile/${owner_id}/dogs/${dog_id}`;
  if (lost_id) return `/?lost=${lost_id}`;
  if (park_id) return `/parks/${park_id}`;
  return sender_id ? `/profile/${sender_id}` : null;
}

/** Of a push a request opens the list, where it is answered, and so does anything unknown. */
export const pushPage = (facts: TargetFacts): string =>
  (facts.type === 'friendRequest' ? null : notificationTarget(facts)) ?? '/notifications';
