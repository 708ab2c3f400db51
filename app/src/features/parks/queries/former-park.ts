// What became of a park that is no longer there: merged with another, closed for good, or no dog park.
import { AppError, unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/**
 * The park that has taken the place of one that could not be loaded; asked only after a 404, so that a page of a park that is
 * there costs nothing more.
 * @throws the error that was given, or why the park is gone
 */
export async function replacementOf(parkId: number, error: unknown): Promise<number> {
  if (!(error instanceof AppError && error.status === 404)) throw error;
  const client = await supabase();
  const former = unwrap(
    await client
      .from('former_parks')
      .select('reason,merged_into')
      .eq('park_id', parkId)
      .maybeSingle(),
  );
  if (former?.merged_into) return former.merged_into;
  if (former && former.reason !== 'double')
    throw new AppError(`parks.former.${former.reason}`, 404);
  throw error;
}
