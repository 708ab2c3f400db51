// Moderators' actions. Each is one call, which the database authorises, executes and writes to the audit log.
import { DAY_MS } from '../../../../../shared/durations.ts';
import { AppError } from '#/core/app-error.ts';
import type { Failure } from '#/i18n/errors.ts';
import { request, requestJson } from '#/data/request.ts';
import type { DeskItem } from '#/features/desk/queries/desk.ts';
import type { DecisionReason, Sanction, Role } from '../../../../../shared/enums.ts';

export const rejectionCode = (error: unknown): string | null =>
  error instanceof AppError ? ((error.cause as Failure | undefined)?.message ?? null) : null;

/** Claims the oldest unclaimed item of these types that is newer than `after`. Returns null if there is none. */
export const claimNext = (types: string[] | null, after: string | null) =>
  requestJson<DeskItem | null>((client) =>
    client.rpc('desk_next', { p_types: types, p_after: after ?? '-infinity' }),
  );

/** Claims an item, or refreshes the claim, for ten minutes. */
export const claim = (type: string, id: string) =>
  requestJson<DeskItem | null>((client) => client.rpc('desk_claim', { p_type: type, p_id: id }));

export const release = ({ type, id }: Pick<DeskItem, 'type' | 'id'>) =>
  request((client) => client.rpc('desk_release', { p_type: type, p_id: id }));

/** @param reason for a rejection; null approves @returns the decision's ID, which `undo` needs */
export const decide = (
  { type, id, version }: Pick<DeskItem, 'type' | 'id' | 'version'>,
  reason: DecisionReason | null,
): Promise<string> =>
  request((client) =>
    client.rpc('desk_decide', {
      p_type: type,
      p_id: id,
      p_approve: reason === null,
      p_reason: reason,
      p_version: version,
    }),
  );

/** Makes the same decision about several items of a type. @returns the number of items that were decided */
export const decideMany = (type: string, ids: string[], reason: DecisionReason | null) =>
  request((client) =>
    client.rpc('desk_decide_many', {
      p_type: type,
      p_ids: ids,
      p_approve: reason === null,
      p_reason: reason,
    }),
  );

/** Publishes the user's own card of a lost dog. @returns the decision's ID, for `undo` by the operator */
export const publishOwnCard = (id: string): Promise<string> =>
  request((client) => client.rpc('desk_publish_own_card', { p_id: id }));

/** @returns false if the decision can no longer be undone */
export const undo = (decision: string): Promise<boolean> =>
  request((client) => client.rpc('desk_undo', { p_decision_id: decision }));

/** Imposes a sanction on a user, or on the author of an item. @param days duration; null for permanent sanctions and warnings */
export const imposeSanction = (
  about: { type: string; id: string },
  sanction: Sanction,
  reason: DecisionReason,
  days: number | null,
): Promise<string> =>
  request((client) =>
    client.rpc('desk_impose_sanction', {
      p_type: about.type,
      p_id: about.id,
      p_sanction: sanction,
      p_reason: reason,
      ...(days !== null && { p_until: new Date(Date.now() + days * DAY_MS).toISOString() }),
    }),
  );

export const revokeSanction = (id: string): Promise<boolean> =>
  request((client) => client.rpc('desk_revoke_sanction', { p_sanction_id: id }));

/**
 * Opens the desk for this session's second factor.
 * @returns whether the code was correct
 */
export async function enterCode(code: string): Promise<boolean> {
  const role = await requestJson<Role | null>((client) =>
    client.rpc('open_desk', { p_code: code }),
  );
  return role !== null;
}
