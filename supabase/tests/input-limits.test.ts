// Tests that the limits of the app's forms and of imports are those of the database.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MAX_SIZE, TEXT_LENGTHS } from '#/product/imports/validate-park.ts';
import { createFixtures } from './fixtures.ts';

const { admin } = await createFixtures();
const SRC = path.join(import.meta.dirname, '../../app/src');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(entities|features)\/.*\.tsx?$/.test(file),
);

/** For each limit, a column or a function of the database, and the part of its check or its body that contains the limit as #. */
const RULES: Record<string, [subject: string, part: string]> = {
  'check-in MIN_STAY': ['public.check_in', 'p_stay_minutes not between # and'],
  'check-in MAX_STAY': ['private.max_stay_minutes', 'select #'],
  'check-in MAX_DOGS': ['private.max_dogs', 'select #'],
  'check-in MAX_UNNAMED_DOGS': ['private.max_unnamed_dogs', 'select #'],
  'desk MAX_TOWN': ['private.towns.name', '<= #)'],
  'desk MAX_TOWN_EMAIL': ['private.towns.mail', '<= #)'],
  'desk MAX_NOTICE': ['private.park_notices.text', '<= #)'],
  'desk MAX_SOURCE': ['public.parks.source', '<= #)'],
  'dog MAX_NAME': ['public.dogs.name', '<= #)'],
  'dog MAX_TEXT': ['public.dogs.likes', '<= #)'],
  'dog MAX_DESCRIPTION': ['public.dogs.description', '<= #)'],
  'dog MIN_BIRTHDAY': ['public.dogs.birthday', ">= '#'"],
  'friend-code MAX_PHOTO_LETTERS': ['private.friend_codes.photo', '<= #)'],
  'import name': ['public.park_translations.name', '<= #)'],
  'import city': ['public.park_translations.city', '<= #)'],
  'import address': ['public.park_translations.address', '<= #)'],
  'import size': ['public.parks.size', '<= (#)'],
  'invite MAX_FRIENDS': ['public.invite_to_park', 'not between 1 and #\n'],
  'invite MAX_DAYS': ['public.invite_to_park', "interval '# days'"],
  'invite MAX_MEETING_HOURS': ['private.is_meeting_open', "interval '# hours'"],
  'lost-dog MAX_LETTERS': ['private.lost_dog_sightings.note', '<= #)'],
  'lost-dog MAX_PHONE': ['private.lost_dog_sightings.phone', '<= #)'],
  'park MAX_NAME': ['public.park_translations.name', '<= #)'],
  'park MAX_ADDRESS': ['public.park_translations.address', '<= #)'],
  'park MAX_SIZE': ['public.parks.size', '<= (#)'],
  'park MAX_SHADE': ['public.parks.shade', '<= (#)'],
  'review MAX_RANK': ['public.reviews.rank', '<= #)'],
  'review MAX_TITLE': ['public.reviews.title', '<= #)'],
  'review MAX_CONTENT': ['public.reviews.content', '<= #)'],
  'suggestion name': ['private.clean_park_translations', '"name": #,'],
  'suggestion city': ['private.clean_park_translations', '"city": #,'],
  'suggestion address': ['private.clean_park_translations', '"address": #}'],
  'user MAX_NAME': ['public.users.name', '<= #)'],
  'user MIN_SEARCH': ['private.find_users', '< # then'],
  'user MAX_SEARCH': ['private.find_users', 'left(p_input, #)'],
  'user MAX_NOTE': ['private.user_reports.note', '<= #)'],
};

test('each limit of a form and of an import is in the database', async () => {
  const files = sources.filter((file) => file.endsWith('-limits.ts'));
  const modules = await Promise.all(
    files.map(async (file) =>
      Object.entries((await import(path.join(SRC, file))) as Record<string, unknown>)
        .filter(([name]) => /^(MIN|MAX)_/.test(name))
        .map(([name, limit]) => [`${path.basename(file, '-limits.ts')} ${name}`, limit] as const),
    ),
  );
  const texts = Object.entries(TEXT_LENGTHS);
  const limits = [
    ...modules.flat(),
    ...texts.map(([name, limit]) => [`import ${name}`, limit] as const),
    ...texts.map(([name, limit]) => [`suggestion ${name}`, limit] as const),
    ['import size', MAX_SIZE] as const,
  ];
  expect(limits.map(([name]) => name).sort()).toEqual(Object.keys(RULES).sort());
  for (const [name, limit] of limits) {
    const [subject, part] = RULES[name] ?? ['', ''];
    const sql = await admin.value`
      select string_agg(body, ' ') from (
        select prosrc as body from pg_proc p where p.pronamespace::regnamespace || '.' || p.proname = ${subject}
        union all
        select pg_get_constraintdef(c.oid) from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        join pg_class t on t.oid = c.conrelid
        where c.contype = 'c' and t.relnamespace::regnamespace || '.' || t.relname || '.' || a.attname = ${subject}) found`;
    expect(sql, name).toContain(part.replace('#', String(limit)));
  }
});

test('maximum lengths of fields are neither numbers nor constants of the same file', () => {
  const unshared = sources.flatMap((file) => {
    const text = readFileSync(path.join(SRC, file), 'utf8');
    return [...text.matchAll(/maxLength(?:=\{|: |\()(\w+)/g)]
      .filter(([, name = '']) => /^\d/.test(name) || text.includes(`\nconst ${name} = `))
      .map(([found]) => `${file}: ${found}`);
  });
  expect(unshared).toEqual([]);
});
