// Identifies the caller by the API key, which the gateway requires, and the access token, which PostgREST reads.
import { RestError } from '#/host/rest/errors.ts';
import { bearerToken } from '#/host/lib/http.ts';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';

/** An error concerning the API key, in the format of Supabase's gateway: a message and a hint. */
export class ApiKeyError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

async function checkApiKey(tokens: Tokens, key: string | null): Promise<void> {
  if (key === null || key === '') {
    throw new ApiKeyError(
      'No API key found in request',
      'No `apikey` request header or url param was found.',
    );
  }
  if (key === tokens.anonKey || key === tokens.serviceKey) return;
  // Tokens that contain a role but no user are accepted as API keys, such as those of a Supabase project with the same secret.
  const claims = await tokens.verify(key).catch(() => null);
  if (claims && claims.sub === undefined && claims.role !== 'authenticated') return;
  throw new ApiKeyError(
    'Invalid API key',
    'Double check your Supabase `anon` or `service_role` API key.',
  );
}

const unauthorized = (code: string, message: string): RestError =>
  new RestError(401, code, message, {
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
    },
  });

/**
 * Returns the caller's claims; without a token, those of an anonymous caller.
 * @throws ApiKeyError, PGRST301 (forged or malformed), PGRST303 (expired)
 */
export async function readCaller(tokens: Tokens, request: Request, url: URL): Promise<Claims> {
  await checkApiKey(tokens, request.headers.get('apikey') ?? url.searchParams.get('apikey'));
  // PostgREST ignores other authorization schemes, so their callers are anonymous.
  const token = bearerToken(request);
  if (token === null || token === tokens.anonKey) return { role: 'anon' };
  if (token === '') throw unauthorized('PGRST301', 'Empty JWT is sent in Authorization header');
  const parts = token.split('.').length;
  if (parts !== 3) throw unauthorized('PGRST301', `Expected 3 parts in JWT; got ${parts}`);
  try {
    return await tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw error.reason === 'expired'
      ? unauthorized('PGRST303', 'JWT expired')
      : unauthorized('PGRST301', 'No suitable key or wrong key type');
  }
}
