// Tests the list of a user's sessions and ending one of them, with the official client.
import { expect, test } from 'vitest';
import { startTestHost, type Client } from '../../testing/test-host.ts';

const host = await startTestHost({ AUTH_CONFIRM_EMAIL: 'false' });

const PASSWORD = 'a good password';

async function login(email: string): Promise<Client> {
  const client = host.client();
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return client;
}

async function signUp(name: string): Promise<{ client: Client; email: string }> {
  const email = `${name}@example.test`;
  const client = host.client();
  const { error } = await client.auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { client, email };
}

const sessionsOf = async (client: Client) => (await client.rpc('my_sessions')).data ?? [];

test('users see their own sessions, the current one first, and can end another one', async () => {
  const { client: phone, email } = await signUp('ann');
  const laptop = await login(email);
  const seen = await sessionsOf(phone);
  expect(seen.map(({ is_current }) => is_current)).toEqual([true, false]);
  const other = String(seen[1]?.id);
  expect((await phone.rpc('end_my_session', { p_session_id: other })).data).toBe(true);
  expect((await laptop.auth.refreshSession()).error).toMatchObject({
    code: 'refresh_token_not_found',
  });
  expect((await phone.auth.refreshSession()).error).toBeNull();
  expect(await sessionsOf(phone)).toHaveLength(1);
});

test("the session stores the browser's user agent, truncated", async () => {
  const { email } = await signUp('bea');
  const answer = await fetch(`${host.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: host.tokens.anonKey, 'user-agent': 'Firefox '.repeat(100) },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  const agents = (await sessionsOf(await login(email))).map(({ user_agent }) => user_agent);
  expect(agents).toContain('Firefox '.repeat(100).slice(0, 300));
});

test('nobody can see or end the sessions of another user', async () => {
  const { client: ann } = await signUp('cleo');
  const { client: eve } = await signUp('eve');
  const [session] = await sessionsOf(ann);
  const { data } = await eve.rpc('end_my_session', { p_session_id: String(session?.id) });
  expect(data).toBe(false);
  expect(await sessionsOf(eve)).toHaveLength(1);
  expect(await sessionsOf(ann)).toHaveLength(1);
});
