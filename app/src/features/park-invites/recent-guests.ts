// Sorts friends for an invite: the most recently invited ones first. Pure.

export interface PastInvite {
  sender_id: string;
  receiver_id: string;
}

/** Friends whom the user has not invited follow in their own order. @param invites newest first */
export function recentGuestsFirst<Friend extends { user_id: string }>(
  friends: readonly Friend[],
  invites: readonly PastInvite[],
  me: string | null,
): Friend[] {
  const guests = invites.flatMap(({ sender_id, receiver_id }) =>
    sender_id === me ? receiver_id : [],
  );
  const rank = ({ user_id }: Friend) =>
    guests.includes(user_id) ? guests.indexOf(user_id) : guests.length;
  return friends.toSorted((one, other) => rank(one) - rank(other));
}
