// Sends a request of the official client and returns the data of the response.
import { type ClientResponse, type CodeTexts, unwrap } from '#/i18n/errors.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';

type BuildRequest<Response> = (client: Supabase) => PromiseLike<Response>;

/** @throws {AppError} if the server rejects it; 503 when offline @param texts messages for error codes of this call */
export const request = async <Response extends ClientResponse>(
  build: BuildRequest<Response>,
  texts?: CodeTexts,
) => unwrap(await build(await supabase()), texts);

/** Like `request`, for a function that returns JSON. The caller provides the type, because the generated types have only `Json`. */
export const requestJson = async <T>(build: BuildRequest<ClientResponse>): Promise<T> =>
  (await request(build)) as T;
