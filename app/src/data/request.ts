// Sends a request of the official client and returns the data of the response.
import { type ClientResponse, type CodeTexts, unwrap } from '#/i18n/errors.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';

type BuildRequest<Response> = (client: Supabase) => PromiseLike<Response>;

/** @throws {AppError} if the server rejects it; 503 when offline @param texts messages for error codes of this call */
export const request = async <Response extends ClientResponse>(
  build: BuildRequest<Response>,
  texts?: CodeTexts,
) => unwrap(await build(await supabase()), texts);

/** The same for a function that returns JSON; only its SQL definition determines the type. */
export const requestJson = async <T>(build: BuildRequest<ClientResponse>): Promise<T> =>
  (await request(build)) as T;
