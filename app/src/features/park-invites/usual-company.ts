// Friends who usually come along: those who accepted more invites than they declined. Pure.
import type { InviteStatus } from '../../../../shared/enums.ts';

export interface PastInvite {
  sender_id: string;
  receiver_id: string;
  status: InviteStatus;
}

/** Returns user IDs, counting both sent and received invites. */
export function usualCompany(invites: readonly PastInvite[], me: string): string[] {
  const agreed = new Map<string, number>();
  for (const { sender_id, receiver_id, status } of invites) {
    if (status === 'pending') continue;
    const other = sender_id === me ? receiver_id : sender_id;
    agreed.set(other, (agreed.get(other) ?? 0) + (status === 'accepted' ? 1 : -1));
  }
  return [...agreed].filter(([, times]) => times > 0).map(([id]) => id);
}
