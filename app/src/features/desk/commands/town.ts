// A town representative's actions, which the database authorises and logs.
import type { ParkNotice } from '#/entities/parks/conditions.ts';
import { request } from '#/data/request.ts';

/** `from` and `until` are values of datetime-local inputs. */
export const postNotice = (
  park: number,
  type: ParkNotice['type'],
  text: string,
  from: string,
  until: string,
) =>
  request((client) =>
    client.rpc('town_post_notice', {
      p_park_id: park,
      p_type: type,
      p_text: text,
      p_starts_at: new Date(from).toISOString(),
      p_ends_at: new Date(until).toISOString(),
    }),
  );

export const withdrawNotice = (id: string) =>
  request((client) => client.rpc('town_withdraw_notice', { p_id: id }));

export const respondToHazard = (id: string, done: boolean) =>
  request((client) => client.rpc('town_respond_to_hazard', { p_id: id, p_done: done }));

export const undoForTown = (decision: string) =>
  request((client) => client.rpc('town_undo', { p_decision_id: decision }));

/** @param email null disables the mails */
export const setTownMail = (email: string | null) =>
  request((client) => client.rpc('town_set_mail', { p_email: email }));

/** Enters the code that was mailed to the town. */
export const confirmTownMail = (code: string): Promise<boolean> =>
  request((client) => client.rpc('town_confirm_mail', { p_code: code }));
