// Accepts the terms for posting with the licence of facts in them, and confirms the age where that is still to be done.
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
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
  changes: () => [parkKeys.myConsents],
  optimistic(queryClient) {
    const before = queryClient.getQueryData<Consents>(parkKeys.myConsents);
    queryClient.setQueryData(parkKeys.myConsents, GIVEN);
    return () => {
      if (before) queryClient.setQueryData(parkKeys.myConsents, before);
      else queryClient.removeQueries({ queryKey: parkKeys.myConsents, exact: true });
    };
  },
  show(queryClient) {
    queryClient.setQueryData(parkKeys.myConsents, GIVEN);
    return [parkKeys.myConsents];
  },
});

/** The post itself comes after it, also in the queue. */
export const useAcceptTerms = () => useCommand(command);
