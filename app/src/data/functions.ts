// Calls one of the project's functions with GET through the official client.
import { requestJson } from '#/data/request.ts';

/** Returns the parsed JSON without validation. */
export async function getFromFunction(
  name: 'geocode' | 'route',
  parameters: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const query = new URLSearchParams(parameters).toString();
  return requestJson((client) =>
    client.functions.invoke(`${name}?${query}`, { method: 'GET', ...(signal && { signal }) }),
  );
}
