// A request of the official client, made and answered: the data that it asked for.
import { type Answer, type CodeTexts, unwrap } from '#/i18n/errors.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';

type Request<A> = (client: Supabase) => PromiseLike<A>;

/** @throws {AppError} what the server refuses; 503 without a network. @param texts what its codes mean in this call */
export const ask = async <A extends Answer>(request: Request<A>, texts?: CodeTexts) =>
  unwrap(await request(await supabase()), texts);

/** The same for a function that answers JSON, whose shape only its migration tells. */
export const askJson = async <T>(request: Request<Answer>): Promise<T> => (await ask(request)) as T;
