// What I agreed to: my age and the terms for posting.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import { isUnanswered } from '#/i18n/errors.ts';
import { askJson } from '#/data/ask.ts';

export interface Consents {
  age_confirmed: boolean;
  terms_accepted: boolean;
  /** To the ODbL for facts about parks; missing in what an older version of the app has stored. */
  licence_agreed?: boolean;
}

export const myConsentsQueryOptions = () =>
  queryOptions({
    queryKey: myConsentsKey,
    queryFn: (): Promise<Consents> => askJson<Consents>((client) => client.rpc('my_consents')),
  });

/** What I agreed to as far as this device knows: once given, it stands; without a network, nothing known is nothing given. */
export async function knownConsents(queryClient: QueryClient): Promise<Consents> {
  const known = queryClient.getQueryData<Consents>(myConsentsKey);
  if (known?.terms_accepted && known.age_confirmed && known.licence_agreed) return known;
  try {
    return await queryClient.fetchQuery(myConsentsQueryOptions());
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return known ?? { age_confirmed: false, terms_accepted: false };
  }
}
