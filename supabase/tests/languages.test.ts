// The database learns its languages from one place: the type, and the function with its texts.
import pg from 'pg';
import { expect, test } from 'vitest';
import { startTestHost } from '../../testing/test-host.ts';

const host = await startTestHost();

test('each language says everything, in its own words', async () => {
  const rows = await host.sql<{ language: string; texts: Record<string, unknown> }>(
    `select l as language, private.texts(l) as texts from unnest(enum_range(null::public.language)) l`,
  );
  const english = rows.find(({ language }) => language === 'en')?.texts ?? {};
  expect(rows.length).toBeGreaterThan(1);
  for (const { language, texts } of rows) {
    expect(Object.keys(texts).sort(), language).toEqual(Object.keys(english).sort());
    if (language !== 'en')
      expect(
        Object.entries(texts).filter(([key, text]) => text === english[key]),
        language,
      ).toEqual([]);
  }
});

test('a new language is one step: its users, notifications and list of parks follow', async () => {
  const client = new pg.Client(host.connectionString);
  await client.connect();
  const [row] = (
    await client.query<{ source: string }>(
      `select pg_get_functiondef('private.texts'::regproc) as source`,
    )
  ).rows;
  const french = {
    new_user: 'De la meute',
    time: 'FMDD/FMMM "à" HH24:MI',
    friendRequest: ['Nouvelle demande', '%1$s veut être votre ami'],
  };
  await client.query(`begin;
    alter type public.language add value 'fr';
    ${row?.source.replace("when 'he'", `when 'fr' then $fr$${JSON.stringify(french)}$fr$ when 'he'`)};
    commit`);
  await client.end();

  const { data } = await host.client().auth.signUp({
    email: 'luc@example.test',
    password: 'a long enough password',
    options: { data: { language: 'fr', age_confirmed: true } },
  });
  const luc = data.user?.id ?? '';
  expect(await host.sql('select name, language from public.users where id = $1', [luc])).toEqual([
    { name: 'De la meute', language: 'fr' },
  ]);
  const ann = await host.user('Ann');
  expect((await ann.client.rpc('send_friend_request', { p_user_id: luc })).error).toBeNull();
  expect(
    await host.sql(
      `select title, translate(app_message, U&'\\2068\\2069', '') as message from public.notifications where receiver_id = $1`,
      [luc],
    ),
  ).toEqual([{ title: 'Nouvelle demande', message: 'Ann veut être votre ami' }]);
  const list = await host
    .client({ key: host.tokens.serviceKey })
    .storage.from('parks')
    .upload('parks-fr.json', Buffer.from('[]'), { contentType: 'application/json' });
  expect(list.error).toBeNull();
  expect((await host.client().storage.from('parks').list()).data?.map(({ name }) => name)).toEqual([
    'parks-fr.json',
  ]);
});
