// What the app does with its backend, step by step through the official client, as a table that any Supabase URL can be put through.
import { randomUUID } from 'node:crypto';
import {
  createClient,
  type RealtimeChannel,
  type SupabaseClient,
  type WebSocketLikeConstructor,
} from '@supabase/supabase-js';
import WebSocket from 'ws';

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PASSWORD = 'correct horse battery';
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** How long realtime may take to join and to tell of an event. */
const TIMEOUT_MS = 20_000;

/** What a scenario carries from step to step: clients, the two people's ids and addresses, the dog, the photo's path. */
interface Run {
  url: string;
  anon: SupabaseClient;
  ann: SupabaseClient;
  bob: SupabaseClient;
  annEmail: string;
  bobEmail: string;
  gender: string;
  dog: string;
  forged: string;
  annId: string;
  annRefresh: string;
  bobId: string;
  /** Empty until the first person has an id. */
  photo: string;
  notification: string;
  heard: unknown[];
  channel?: RealtimeChannel;
  system?: unknown;
}

/** `content`: the answer depends on what operators entered. */
type Step = [name: string, work: (run: Run) => unknown, options?: { content?: boolean }];

export interface ScenarioRun {
  /** The step's plain object, or {threw} with the error's text. */
  results: { step: string; content: boolean; result: unknown }[];
  /** What of this run must not be compared, from the word to the name that stands for it. */
  words: Record<string, string>;
}

/** What the parts of the client answer with, as far as it is compared. */
interface Answer {
  data?: unknown;
  error?: unknown;
  status?: number | undefined;
  count?: number | null | undefined;
}

/** An error of any of the client's five parts as one plain object. */
function plainError(error: unknown) {
  if (!error) return null;
  const { name, message, code, status, statusCode, details, hint } = error as Record<
    string,
    unknown
  >;
  return { name, message, code, status, statusCode, details, hint };
}

/** What a call of the client answered, without what is not data. */
function plain({ data, error, status, count }: Answer) {
  return { data: data ?? null, error: plainError(error), status, count };
}

/** The answer of a function, read from the response that the client hides in its error. */
async function plainFunction({
  data,
  error,
}: {
  data: unknown;
  error: { context?: Response } | null;
}) {
  const response = error?.context;
  if (typeof response?.json !== 'function') return plain({ data, error });
  return { status: response.status, body: await response.json().catch(() => null) };
}

/** What a stored picture is served with; not its bytes, because the host writes pictures anew without their metadata. */
async function served(url: string) {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
    error: response.ok ? null : await response.json(),
  };
}

/** Resolves with what `look` answers as soon as that is something, or null after the timeout. */
async function until<Found>(look: () => Found) {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}

async function signUp(client: SupabaseClient, email: string, name: string) {
  const answer = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: name, age_confirmed: true } },
  });
  return answer;
}

const dogOf = (run: Run) => ({
  id: run.dog,
  name: 'Rex',
  breed: 'Mixed',
  gender: run.gender,
  birthday: '2020-02-03',
});

/** The steps, in order; each resolves with a plain object. */
export const STEPS: Step[] = [
  ['sign up', async (run) => {
    const answer = await signUp(run.ann, run.annEmail, 'Ann Scenario');
    run.annId = answer.data.user?.id ?? NOBODY;
    run.annRefresh = answer.data.session?.refresh_token ?? '';
    return plain(answer);
  }],
  ['sign up a second person', async (run) => {
    const answer = await signUp(run.bob, run.bobEmail, 'Bob Scenario');
    run.bobId = answer.data.user?.id ?? NOBODY;
    return { error: plainError(answer.error) };
  }],
  ['sign up again with the same email', async (run) => plain(await signUp(run.anon, run.annEmail, 'Ann'))],
  ['sign up with a weak password', async (run) =>
    plain(await run.anon.auth.signUp({ email: `weak-${run.annEmail}`, password: 'a' }))],
  ['sign up without an email address', async (run) =>
    plain(await run.anon.auth.signUp({ email: 'no address', password: PASSWORD }))],
  ['wrong password', async (run) =>
    plain(await run.anon.auth.signInWithPassword({ email: run.annEmail, password: 'wrong horse' }))],
  ['unknown email', async (run) =>
    plain(await run.anon.auth.signInWithPassword({ email: `nobody-${run.annEmail}`, password: PASSWORD }))],
  ['sign in', async (run) => {
    const answer = await run.ann.auth.signInWithPassword({ email: run.annEmail, password: PASSWORD });
    run.annRefresh = answer.data.session?.refresh_token ?? '';
    return plain(answer);
  }],
  ['get user', async (run) => plain(await run.ann.auth.getUser())],
  ['get user with a forged token', async (run) => plain(await run.anon.auth.getUser(run.forged))],
  ['refresh', async (run) => plain(await run.ann.auth.refreshSession())],
  ['refresh with an unknown token', async (run) =>
    plain(await run.anon.auth.refreshSession({ refresh_token: 'unknown-token' }))],
  ['update user with the same password', async (run) => plain(await run.ann.auth.updateUser({ password: PASSWORD }))],
  ['unknown provider', async (run) => {
    const response = await fetch(`${run.url}/auth/v1/authorize?provider=nowhere`, { redirect: 'manual' });
    return { status: response.status, body: await response.json().catch(() => null) };
  }],
  ['no api key', async (run) => {
    const response = await fetch(`${run.url}/rest/v1/parks?select=id`);
    return { status: response.status };
  }],

  ['own row', async (run) => plain(await run.ann.from('users').select('*').eq('id', run.annId).single())],
  ['rpc without result: accept terms', async (run) => plain(await run.ann.rpc('accept_terms'))],
  ['rpc without result: confirm age', async (run) => plain(await run.ann.rpc('confirm_age'))],
  ['consents of the second person', async (run) => [
    plain(await run.bob.rpc('accept_terms')),
    plain(await run.bob.rpc('confirm_age')),
  ]],
  ['insert a dog', async (run) => plain(await run.ann.from('dogs').insert(dogOf(run)).select('id').single())],
  ['insert it twice', async (run) => plain(await run.ann.from('dogs').insert(dogOf(run)))],
  ['insert a dog without a name', async (run) =>
    plain(await run.ann.from('dogs').insert({ breed: 'x', gender: run.gender, birthday: '2020-02-03' }))],
  ['insert a dog of an unknown gender', async (run) =>
    plain(await run.ann.from('dogs').insert({ ...dogOf(run), id: randomUUID(), gender: 'UNKNOWN' }))],
  ['insert a dog of somebody else', async (run) =>
    plain(await run.bob.from('dogs').insert({ ...dogOf(run), id: randomUUID(), owner: run.annId }))],
  ['update a dog', async (run) =>
    plain(await run.ann.from('dogs').update({ name: 'Max' }).eq('id', run.dog).select())],
  ['update a dog of somebody else', async (run) =>
    plain(await run.bob.from('dogs').update({ name: 'Mine' }).eq('id', run.dog).select())],
  ['select with an embed', async (run) =>
    plain(await run.ann.from('users').select('id, name, dogs (id, name, birthday)').eq('id', run.annId))],
  ['select with a count', async (run) =>
    plain(await run.ann.from('dogs').select('id', { count: 'exact' }).eq('owner', run.annId))],
  ['head with a count', async (run) =>
    plain(await run.ann.from('dogs').select('id', { count: 'exact', head: true }).eq('owner', run.annId))],
  ['single without a row', async (run) => plain(await run.ann.from('users').select('id').eq('id', NOBODY).single())],
  ['maybeSingle without a row', async (run) =>
    plain(await run.ann.from('users').select('id').eq('id', NOBODY).maybeSingle())],
  ['parks with their translations', async (run) =>
    plain(await run.anon.from('parks').select('id, lat, long, park_translations (name, city, address, language)').limit(2)), { content: true }],
  ['unknown table', async (run) => plain(await run.ann.from('cats').select())],
  ['unknown column', async (run) => plain(await run.ann.from('dogs').select('wings'))],
  ['unknown embed', async (run) => plain(await run.ann.from('dogs').select('id, wings (id)'))],
  ['malformed value', async (run) => plain(await run.ann.from('dogs').select('id').eq('id', 'not-an-id'))],
  ['malformed filter', async (run) => plain(await run.ann.from('dogs').select('id').filter('id', 'nonsense', '1'))],
  ['a table of the logged in, anonymously', async (run) => plain(await run.anon.from('dogs').select('id'))],
  ['a range beyond the end', async (run) =>
    plain(await run.ann.from('dogs').select('id', { count: 'exact' }).eq('owner', run.annId).range(50, 60))],
  ['csv', async (run) => plain(await run.ann.from('dogs').select('id, name').eq('id', run.dog).csv())],
  ['rpc with rows', async (run) => plain(await run.ann.rpc('my_reviews'))],
  ['unknown rpc', async (run) => plain(await run.ann.rpc('fly'))],
  ['rpc with a wrong argument', async (run) => plain(await run.ann.rpc('delete_dog', { dog: run.dog }))],
  ['rpc that is not allowed', async (run) => plain(await run.anon.rpc('accept_terms'))],
  ['rpc that refuses', async (run) => plain(await run.ann.rpc('accept_friend_request', { p_user_id: run.bobId }))],

  ['upload', async (run) => plain(await run.ann.storage.from('users').upload(run.photo, PICTURE, {
    contentType: 'image/png',
    cacheControl: '2592000',
  }))],
  ['upload it again', async (run) =>
    plain(await run.ann.storage.from('users').upload(run.photo, PICTURE, { contentType: 'image/png' }))],
  ['upload into the folder of somebody else', async (run) =>
    plain(await run.bob.storage.from('users').upload(run.photo.replace('primary', 'other'), PICTURE, { contentType: 'image/png' }))],
  ['upload of a kind that the bucket refuses', async (run) =>
    plain(await run.ann.storage.from('users').upload(run.photo.replace('primary', 'other'), Buffer.from('x'), { contentType: 'text/plain' }))],
  ['upload that is too large', async (run) =>
    plain(await run.ann.storage.from('users').upload(run.photo.replace('primary', 'other'), Buffer.alloc(6_000_000), { contentType: 'image/png' }))],
  ['upload into no bucket', async (run) =>
    plain(await run.ann.storage.from('nowhere').upload('a.png', PICTURE, { contentType: 'image/png' }))],
  ['list', async (run) => plain(await run.ann.storage.from('users').list(run.photo.replace(/\/[^/]+$/, '')))],
  ['list folders', async (run) => plain(await run.ann.storage.from('users').list(`${run.annId}/dogs/${run.dog}`))],
  ['list what is not there', async (run) => plain(await run.ann.storage.from('users').list('nowhere'))],
  ['download', async (run) => {
    const { data, error } = await run.ann.storage.from('users').download(run.photo);
    return { type: data?.type, error: plainError(error) };
  }],
  ['download what is not there', async (run) => {
    const { error } = await run.ann.storage.from('users').download('nowhere.png');
    return { error: plainError(error) };
  }],
  ['public address', async (run) => served(run.ann.storage.from('users').getPublicUrl(run.photo).data.publicUrl)],
  ['public address of nothing', async (run) =>
    served(run.ann.storage.from('users').getPublicUrl('nowhere.png').data.publicUrl)],
  ['signed address', async (run) => {
    const answer = await run.ann.storage.from('users').createSignedUrl(run.photo, 60);
    return { error: plainError(answer.error), served: answer.data && (await served(answer.data.signedUrl)) };
  }],
  ['move', async (run) =>
    plain(await run.ann.storage.from('users').move(run.photo, run.photo.replace('primary', 'other')))],
  ['move what is not there', async (run) =>
    plain(await run.ann.storage.from('users').move(run.photo, `${run.photo}.webp`))],
  ['remove', async (run) =>
    plain(await run.ann.storage.from('users').remove([run.photo.replace('primary', 'other')]))],
  ['remove what is not there', async (run) => plain(await run.ann.storage.from('users').remove(['nowhere.png']))],

  ['unknown function', async (run) => plainFunction(await run.ann.functions.invoke('fly', { body: {} }))],
  ['function with a malformed body', async (run) =>
    plainFunction(await run.ann.functions.invoke('delete-user', { body: { id: 7 } }))],
  ['function that is not allowed', async (run) =>
    plainFunction(await run.bob.functions.invoke('delete-user', { body: { id: run.annId } }))],

  ['realtime: join', async (run) => {
    const states: string[] = [];
    run.channel = run.ann
      .channel('notifications')
      .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'notifications', filter: `receiver_id=eq.${run.annId}` }, (event) => run.heard.push(event))
      .on('system', {}, ({ status, extension, message }: Record<string, unknown>) => (run.system = { status, extension, message }))
      .subscribe((state) => states.push(state));
    // The two come in either order.
    await until(() => run.system && states.includes('SUBSCRIBED'));
    return { states: [...states], system: run.system ?? null };
  }],
  ['realtime: an event', async (run) => {
    const asked = plain(await run.bob.rpc('send_friend_request', { p_user_id: run.annId }));
    return { asked, event: await until(() => run.heard[0]) };
  }],
  ['notifications with their senders', async (run) => {
    const answer = await run.ann.from('notifications').select('*, sender:users!sender_id (id, name)').is('seen_at', null);
    run.notification = answer.data?.[0]?.id ?? NOBODY;
    return plain(answer);
  }],
  ['rpc mark_notification_read', async (run) =>
    plain(await run.ann.rpc('mark_notification_read', { notification_id: run.notification }))],
  ['realtime: leave', async (run) => ({ left: run.channel && (await run.ann.removeChannel(run.channel)) })],

  ['delete the dog', async (run) => plain(await run.ann.rpc('delete_dog', { dog_id: run.dog }))],
  ['delete the second person', async (run) =>
    plainFunction(await run.bob.functions.invoke('delete-user', { body: { id: run.bobId } }))],
  ['delete the account', async (run) =>
    plainFunction(await run.ann.functions.invoke('delete-user', { body: { id: run.annId } }))],
  ['get user after the deletion', async (run) => plain(await run.ann.auth.getUser())],
  ['sign out after the deletion', async (run) => ({ error: plainError((await run.ann.auth.signOut()).error) })],
]; // oxfmt-ignore

/** A token that was signed by somebody else. */
function forgedToken() {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = part({ alg: 'HS256', typ: 'JWT' });
  return `${head}.${part({ sub: NOBODY, role: 'authenticated', exp: 4_000_000_000 })}.${'A'.repeat(43)}`;
}

/**
 * Runs the scenario with two new people, who are deleted at its end.
 * @param options.mailDomain the domain of their invented addresses
 */
export async function runScenario({
  url,
  key,
  mailDomain = 'example.com',
}: {
  url: string;
  key: string;
  mailDomain?: string;
}): Promise<ScenarioRun> {
  const client = (): SupabaseClient =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      // ws's own types differ from the browser's in what nobody here uses.
      realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
    });
  const [anon, ann, bob] = [client(), client(), client()];
  const tag = randomUUID().slice(0, 8);
  const run: Run = {
    url,
    anon,
    ann,
    bob,
    annEmail: `ann-${tag}@${mailDomain}`,
    bobEmail: `bob-${tag}@${mailDomain}`,
    gender: 'MALE',
    dog: randomUUID(),
    forged: forgedToken(),
    annId: '',
    annRefresh: '',
    bobId: '',
    photo: '',
    notification: '',
    heard: [],
  };
  const results: ScenarioRun['results'] = [];
  for (const [step, work, { content = false } = {}] of STEPS) {
    if (run.annId !== '' && run.photo === '')
      run.photo = `${run.annId}/dogs/${run.dog}/primary/${randomUUID()}.png`;
    const result = await Promise.resolve(work(run)).catch((error: unknown) => ({
      threw: String(error),
    }));
    results.push({ step, content, result });
  }
  for (const one of [anon, ann, bob]) await one.realtime.disconnect();
  return {
    results,
    words: { [run.annEmail]: '<email>', [run.bobEmail]: '<email>', [url]: '<url>' },
  };
}
