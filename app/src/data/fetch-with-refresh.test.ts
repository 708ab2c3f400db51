// If only the server considers a session expired, the session is refreshed and the request repeated once, for each service.
import { expect, test } from 'vitest';
import { errorText, hasNoResponse, toAppError } from '#/i18n/errors.ts';
import { fetchWithRefresh, refreshToken } from '#/data/fetch-with-refresh.ts';
import type { Supabase } from '#/data/supabase.ts';
import { atEnd } from '../../../testing/at-end.ts';
import { startStubService } from '../../../testing/stub-service.ts';

const REST = [401, { code: 'PGRST303', message: 'JWT expired' }] as const;
const STORAGE = [
  400,
  { statusCode: '403', error: 'Unauthorized', message: '"exp" claim timestamp check failed' },
] as const;

let answer: readonly [number, object] = REST;
const server = await startStubService(({ url, headers }) => {
  if (url.pathname === '/silent') return new Promise(() => undefined);
  if (url.pathname === '/portal') return { headers: { 'content-type': 'text/html' }, body: 'Café' };
  if (url.pathname === '/half') return { headers: { 'content-length': '100' }, body: [] };
  if (url.pathname === '/failing')
    return { status: 500, headers: { 'sb-request-id': '3f9a12' }, body: {} };
  const [status, body] = headers.authorization === 'Bearer new' ? [200, {}] : answer;
  return { status, body };
});
atEnd(server.close);
const came = () => server.requests.map(({ headers }) => headers.authorization);

async function ask(path: string, renewed: string | null) {
  server.requests.length = 0;
  const fetched = await fetchWithRefresh(() => Promise.resolve(renewed))(`${server.url}${path}`, {
    headers: { authorization: 'Bearer old' },
  });
  return fetched.status;
}

test.each([
  ['/rest/v1/dogs', REST],
  ['/storage/v1/object/list/users', STORAGE],
] as const)('a request to %s is repeated with a new token', async (path, refusal) => {
  answer = refusal;
  expect(await ask(path, 'new')).toBe(200);
  expect(came()).toEqual(['Bearer old', 'Bearer new']);
});

test.each([
  ['Dana', 'new'],
  ['Noa', null],
  [null, null],
])('a session of Dana returns a token for a request of %s: %s', async (owner, token) => {
  const session = { access_token: 'new', user: { id: 'Dana' } };
  const auth = { refreshSession: () => Promise.resolve({ data: { session } }) };
  expect(await refreshToken({ auth } as unknown as Supabase, owner)).toBe(token);
});

test('a server that rejects the new token, too, gets no third request', async () => {
  answer = STORAGE;
  expect(await ask('/storage/v1/object/list/users', 'just as old')).toBe(400);
  expect(came()).toHaveLength(2);
});

test.each([
  [400, { statusCode: '404', error: 'not_found', message: 'Object not found' }],
  [401, { code: 'PGRST301', message: 'No suitable key' }],
] as const)('other rejections (%s) are returned unchanged', async (status, body) => {
  answer = [status, body];
  expect(await ask('/storage/v1/object/users/a', 'new')).toBe(status);
  expect(came()).toEqual(['Bearer old']);
});

test.each(['/silent', '/half'])('an answer whose end never comes (%s) is none', async (path) => {
  const slow = fetchWithRefresh(() => Promise.resolve(null), 50);
  const failure: unknown = await slow(server.url + path)
    .then((response) => response.json())
    .catch((error: unknown) => error);
  expect(hasNoResponse(failure)).toBe(true);
});

test("a captive portal's page is not a response of the host", async () => {
  const thrown: unknown = await ask('/portal', null).catch((error: unknown) => error);
  expect(hasNoResponse(thrown)).toBe(true);
});

test('an error that does not say what to do shows the ID of its request', async () => {
  expect(await ask('/failing', null)).toBe(500);
  const failed = { status: 500, message: 'Internal server error' };
  expect(toAppError(failed).values).toEqual({ id: '3f9a12' });
  expect(errorText(failed)).toMatch(/Please try again later\.\nError ID: /);
  expect(errorText({ ...failed, code: 'too_many' })).not.toContain('Error ID');
  expect(errorText(new Error('A fault of the app'))).not.toContain('Error ID');
});
