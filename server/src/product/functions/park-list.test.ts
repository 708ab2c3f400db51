// Tests the published list of parks of a large country: the bucket, the REST response and the upload must accept its size.
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestHost } from '../../../../testing/test-host.ts';

const PARKS = 100_000;

const host = await startTestHost();
// Updating these indexes would take most of the test's time, and the test does not use them.
await host.sql`drop index public.park_translations_name_trgm, public.park_translations_address_trgm`;
await host.sql(
  `with made as (
     insert into public.parks (lat, long, status)
     select 29.5 + n / 30000.0, 34.3 + n / 80000.0, 'approved' from generate_series(1, ${PARKS}) n
     returning id
   )
   insert into public.park_translations (park_id, language, name, city, address)
   select id, 'he', 'גינת הכלבים שליד הבית של שכנינו ' || id, 'ראשון לציון והסביבה', 'שדרות הנשיא יצחק בן צבי ' || id
   from made`,
);

test('a hundred thousand parks are published, in each language', async () => {
  // With fake timers, the function's timeout of a minute does not apply: this test is about size, and a busy machine needs longer.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await host.functions.run('publish-parks')).toEqual({ published: true });
  for (const language of ['en', 'he', 'ar']) {
    const { data } = host.client().storage.from('parks').getPublicUrl(`parks-${language}.json`);
    const response = await fetch(data.publicUrl, { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(3_000_000);
    expect(await response.json()).toHaveLength(PARKS);
  }
});
