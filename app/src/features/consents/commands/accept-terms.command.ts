// Accepts the terms for posting, which include the licence of facts, and confirms the age if that has not been done.
import * as v from 'valibot';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import type { Consents } from '#/features/consents/queries/consents.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const acceptInput = v.object({
  confirmAge: v.boolean(),
  /** Missing in commands queued by an older version of the app, whose terms did not name the licence. */
  licence: v.optional(v.boolean(), false),
});

export const command = defineCommand<v.InferOutput<typeof acceptInput>, unknown>({
  name: 'accept_terms',
  input: acceptInput,
  // Idempotent without a key.
  async send({ confirmAge, licence }, { client, request }) {
    if (confirmAge) await request(client.rpc('confirm_age'));
    return request(client.rpc('accept_terms', { p_licence: licence }));
  },
  apply: ({ licence }) => [
    change<Consents | undefined>(myConsentsKey, (now) => ({
      age_confirmed: true,
      terms_accepted: true,
      licence_agreed: licence || now?.licence_agreed === true,
    })),
  ],
  invalidates: () => [],
});

/** Accepts the terms before the post that requires them. The queue sends both in the same order. */
export const useAcceptTerms = () => useCommand(command, { isOptimistic: true });
