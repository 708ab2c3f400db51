// Users with a role at the desk and a second factor, and pending items for them.
import type { TestUser, Site } from './test.ts';
import { acceptTerms, contributePhoto, reservePark } from './fixtures.ts';
import { totp } from './totp.ts';

/** Raises the user's session with a new second factor, and returns its secret. */
export async function withFactor(user: TestUser): Promise<TestUser & { secret: string }> {
  const { mfa } = user.client.auth;
  const { data, error } = await mfa.enroll({ factorType: 'totp' });
  if (error) throw error;
  const verified = await mfa.challengeAndVerify({
    factorId: data.id,
    code: totp(data.totp.secret),
  });
  if (verified.error) throw verified.error;
  const { session } = (await user.client.auth.getSession()).data;
  if (!session) throw new Error('The session is gone');
  return { ...user, session, secret: data.totp.secret };
}

/** Signs a user up with a second factor and assigns the role. */
export async function createModerator(
  site: Site,
  name: string,
  role: 'moderator' | 'administrator' = 'moderator',
): Promise<TestUser & { secret: string }> {
  const user = await withFactor(await site.user(name));
  await site.sql(
    `insert into public.user_roles (user_id, role, factor_id) select user_id, $2, id from auth.mfa_factors where user_id = $1`,
    [user.id, role],
  );
  return user;
}

export async function submitParks(site: Site, count: number): Promise<number[]> {
  const rows = await site.sql<{ id: number }>(
    `with made as (
       insert into public.parks (lat, long, source, created_at)
       select 32.07 + i / 1000.0, 34.78, 'user', now() - make_interval(hours => i) from generate_series(1, $1) i returning id, created_at
     ), named as (
       insert into public.park_translations (park_id, language, name, city, address)
       select id, 'en', 'New corner ' || id, 'Haifa', '2 HaYam St' from made
     )
     select id::int from made order by created_at`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** One item of each other type: correction, duplicate, photo, reported review and photo, hazard, reported user. */
export async function fillQueue(site: Site): Promise<{ contributor: TestUser; review: string }> {
  const [contributor, reporter] = [await site.user('Contributor'), await site.user('Reporter')];
  for (const user of [contributor, reporter]) await acceptTerms(user);
  const [park, duplicate] = [await reservePark(site), await reservePark(site)];
  const done = async <T>(
    call: PromiseLike<{ data: T; error: Error | null }>,
  ): Promise<NonNullable<T>> => {
    const { data, error } = await call;
    if (error) throw error;
    return data as NonNullable<T>;
  };
  const rpc = contributor.client.rpc.bind(contributor.client);
  await done(
    rpc('suggest_park_details', {
      p_park_id: park.id,
      p_shade: 7,
      p_lat: park.lat + 0.001,
      p_long: park.long,
    }),
  );
  await done(
    rpc('suggest_park_details', {
      p_park_id: duplicate.id,
      p_claim: 'duplicate',
      p_duplicate_of: park.id,
    }),
  );
  await contributePhoto(contributor, park.id);
  const shown = await contributePhoto(contributor, park.id);
  // Simulates a moderator's approval: bytes are stored by version, so updating the row moves the file.
  await site.sql(`update storage.objects set bucket_id = 'parks' where name = $1`, [shown]);
  const { id: review } = (await done(
    rpc('save_review', {
      p_park_id: park.id,
      p_title: 'Buy now',
      p_content: 'Cheap leashes',
      p_rank: 1,
      p_anonymous: true,
    }),
  )) as { id: string };
  // Simulates the next day, when others see an anonymous review.
  await site.sql('update public.reviews set public_rank = rank where id = $1', [review]);
  await done(rpc('report_hazard', { p_park_id: park.id, p_hazard: 'glass' }));
  await done(reporter.client.rpc('report_review', { p_review_id: review, p_reason: 'spam' }));
  await done(reporter.client.rpc('report_photo', { p_path: shown, p_reason: 'inappropriate' }));
  await done(
    reporter.client.rpc('report_user', {
      p_user_id: contributor.id,
      p_reason: 'fake',
      p_note: 'Sells leashes',
    }),
  );
  return { contributor, review };
}

/** Removes the demo's pending items. */
export async function emptyQueue(site: Site): Promise<void> {
  await site.sql(`update public.parks set status = 'rejected' where status = 'pending'`);
  await site.sql(`update public.park_suggestions set status = 'rejected' where status = 'pending'`);
  await site.sql(`update public.park_photos set status = 'rejected' where status = 'pending'`);
  for (const table of ['review_reports', 'user_reports', 'photo_reports'])
    await site.sql(`update private.${table} set resolved_at = now() where resolved_at is null`);
  await site.sql(`update private.live_reports set ended_at = now() where ended_at is null`);
}
