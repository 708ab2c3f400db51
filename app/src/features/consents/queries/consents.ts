// The user's consents: age and the terms for posting.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { requestJson } from '#/data/request.ts';
import { getUnsent } from '#/offline/command-queue/queued-commands.ts';
import { applyUnsent } from '#/offline/command-queue/unsent-commands.ts';

export interface Consents {
  age_confirmed: boolean;
  terms_accepted: boolean;
  /** True if the user accepted the ODbL for facts about parks. Missing in data stored by an older version of the app. */
  licence_agreed?: boolean;
}

export const myConsentsQueryOptions = () =>
  queryOptions({
    queryKey: myConsentsKey,
    queryFn: (): Promise<Consents> => requestJson<Consents>((client) => client.rpc('my_consents')),
  });

/**
 * Returns the consents that this device knows. Consents are never withdrawn. While offline, an unknown consent counts as not given.
 */
export async function knownConsents(queryClient: QueryClient): Promise<Consents> {
  const fetched = queryClient.getQueryData<Consents>(myConsentsKey);
  const known = applyUnsent(getUnsent(), myConsentsKey, fetched).data;
  if (known?.terms_accepted && known.age_confirmed && known.licence_agreed) return known;
  try {
    return await queryClient.fetchQuery(myConsentsQueryOptions());
  } catch (error) {
    if (!hasNoResponse(error)) throw error;
    return known ?? { age_confirmed: false, terms_accepted: false };
  }
}
