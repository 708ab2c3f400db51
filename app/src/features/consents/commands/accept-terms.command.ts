// Accepts the terms for posting, which include the licence of facts. Also confirms the age if that is still missing.
import * as v from 'valibot';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import type { Consents } from '#/features/consents/queries/consents.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const acceptInput = v.object({
  confirmAge: v.boolean(),
  /** Missing in commands that an older version of the app queued, because its terms did not include the licence. */
  licence: v.optional(v.boolean(), false),
});

export const command = defineCommand<v.InferOutput<typeof acceptInput>, unknown>({
  name: 'accept_terms',
  input: acceptInput,
  // Needs no idempotency key, because repeating it has the same effect.
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

/** Call this before the post that requires the terms. The queue sends both in the same order. */
export const useAcceptTerms = () => useCommand(command, { isOptimistic: true });
