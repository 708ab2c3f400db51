// Calls one of the project's functions with GET through the official client.
import { unwrapJson } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** The parsed JSON, unchecked. */
export async function getFromFunction(
  name: 'weather' | 'geocode' | 'route',
  parameters: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const client = await supabase();
  const query = new URLSearchParams(parameters).toString();
  return unwrapJson(
    await client.functions.invoke(`${name}?${query}`, { method: 'GET', ...(signal && { signal }) }),
  );
}
