// What to ask a person after a visit that ended without their button: by the clock, elsewhere, or without a network.
import { isUnanswered } from '#/i18n/errors.ts';
import { askJson } from '#/data/ask.ts';
import type { CheckOutInput } from '#/features/check-ins/commands/check-out.command.ts';
import { getPending } from '#/offline/command-queue/pending.ts';
import { minutesOf } from '#/features/check-ins/stay.ts';

/** A visit that this device saw. */
export interface SeenVisit {
  id: string;
  parkId: number;
  parkName: string;
  startedAt: string;
  expiresAt: string;
}

export interface Goodbye {
  parkId: number;
  parkName: string;
  minutes: number;
  /** The person has not reviewed the park yet. */
  first: boolean;
}

interface Answer {
  park_id: number;
  park_name: string;
  started_at: string;
  ended_at: string;
  offer_review: boolean;
}

/**
 * Null where another device has asked. Without a network this device asks by what it knows.
 * @param isReviewed whether the person has reviewed the park, as far as this device knows
 * @throws {AppError}
 */
export async function loadGoodbye(visit: SeenVisit, isReviewed: boolean): Promise<Goodbye | null> {
  const now = Date.now();
  try {
    const answer = await askJson<Answer | null>((client) =>
      client.rpc('ask_for_review', { p_visit_id: visit.id }),
    );
    if (!answer) return null;
    const { park_id: parkId, park_name: parkName, offer_review: first } = answer;
    const minutes = minutesOf(answer.started_at, Date.parse(answer.ended_at));
    return { parkId, parkName, minutes, first };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }
  const isUndone = getPending().some(({ command, input }) => {
    const { visitId, undo } = input as CheckOutInput;
    return command === 'check_out' && visitId === visit.id && undo;
  });
  if (isUndone) return null;
  const { parkId, parkName, startedAt, expiresAt } = visit;
  const minutes = minutesOf(startedAt, Math.min(now, Date.parse(expiresAt)));
  return { parkId, parkName, minutes, first: !isReviewed };
}
