// Accepts the terms for posting with the licence of facts in them, and confirms the age where that is still to be done.
import * as v from 'valibot';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import type { Consents } from '#/features/consents/queries/consents.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const acceptInput = v.object({
  confirmAge: v.boolean(),
  /** Missing in what an older version of the app has queued: its terms did not name the licence. */
  licence: v.optional(v.boolean(), false),
});

const GIVEN: Consents = { age_confirmed: true, terms_accepted: true, licence_agreed: true };

export const command = defineCommand<v.InferOutput<typeof acceptInput>, unknown>({
  name: 'accept_terms',
  input: acceptInput,
  // Doing it twice changes nothing, so that it needs no key.
  async send({ confirmAge, licence }, { client, ask }) {
    if (confirmAge) await ask(client.rpc('confirm_age'));
    return ask(client.rpc('accept_terms', { p_licence: licence }));
  },
  changes: () => [myConsentsKey],
  optimistic(queryClient) {
    const before = queryClient.getQueryData<Consents>(myConsentsKey);
    queryClient.setQueryData(myConsentsKey, GIVEN);
    return () => {
      if (before) queryClient.setQueryData(myConsentsKey, before);
      else queryClient.removeQueries({ queryKey: myConsentsKey, exact: true });
    };
  },
  show(queryClient) {
    queryClient.setQueryData(myConsentsKey, GIVEN);
    return [myConsentsKey];
  },
});

/** The post itself comes after it, also in the queue. */
export const useAcceptTerms = () => useCommand(command);
