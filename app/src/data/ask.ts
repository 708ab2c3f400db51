// Sends a request of the official client and returns the data of the response.
import { type Answer, type CodeTexts, unwrap } from '#/i18n/errors.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';

type Request<A> = (client: Supabase) => PromiseLike<A>;

/** @throws {AppError} if the server rejects it; 503 without a network. @param texts messages for error codes of this call */
export const ask = async <A extends Answer>(request: Request<A>, texts?: CodeTexts) =>
  unwrap(await request(await supabase()), texts);

/** The same for a function that returns JSON; only its SQL definition determines the type. */
export const askJson = async <T>(request: Request<Answer>): Promise<T> => (await ask(request)) as T;
