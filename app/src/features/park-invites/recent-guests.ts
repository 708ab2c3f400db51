// Sorts friends in the invite sheet, the most recently invited first. Pure.

export interface PastInvite {
  sender_id: string;
  receiver_id: string;
}

/** Friends whom the user has never invited follow in their current order. @param invites newest first */
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
