// What I agreed to: my age and the terms for posting.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { parkKeys } from '#/lib/park-keys.ts';
import { unwrap } from '#/lib/errors.ts';
import { supabase } from '#/lib/supabase.ts';

export interface Consents {
  age_confirmed: boolean;
  terms_accepted: boolean;
}

/** @throws {AppError} */
export async function fetchMyConsents(): Promise<Consents> {
  const client = await supabase();
  return unwrap(await client.rpc('my_consents')) as unknown as Consents;
}

export const myConsentsQueryOptions = () =>
  queryOptions({ queryKey: parkKeys.myConsents, queryFn: fetchMyConsents });

/** Also confirms the age where that is still to be done: posting needs both. @throws {AppError} */
export async function acceptTerms(queryClient: QueryClient, confirmAge: boolean): Promise<void> {
  const client = await supabase();
  if (confirmAge) unwrap(await client.rpc('confirm_age'));
  unwrap(await client.rpc('accept_terms'));
  await queryClient.invalidateQueries({ queryKey: parkKeys.myConsents });
}
