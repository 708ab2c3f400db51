// Tests a day of four phones: Ann's, her friend's, a stranger's and a keeper's. After each random action of Ann, each of the others
// shows only what its owner may know, and nothing that has ended. The test's name contains the seed; DAY_SEEDS=20 runs more days.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { draw } from '../../testing/draw.ts';
import { seeded } from '../../testing/seeded.ts';
import { startTestHost } from '../../testing/test-host.ts';

const host = await startTestHost({ RATE_LIMITS: 'off' });
const picture = await draw(8, 8).webp().toBuffer();

type Phone = Awaited<ReturnType<typeof host.user>>;

async function call<T>(who: Phone, name: string, parameters: object = {}): Promise<T> {
  const { data, error } = await who.client.rpc(name as never, parameters as never);
  if (error) throw new Error(`${name}: ${error.message}`);
  return data as T;
}

for (let seed = 1; seed <= Number(process.env.DAY_SEEDS ?? 1); seed += 1)
  test(`seed ${seed}`, { timeout: 120_000 }, async () => {
    const random = seeded(seed);
    const ann = await host.user('Ann');
    const others = {
      friend: await host.user('Ben'),
      stranger: await host.user('Eve'),
      keeper: await host.user('Kay'),
    };
    type Other = keyof typeof others;
    const phones = Object.entries(others) as [Other, Phone][];
    const parks = [await host.park('Near Park'), await host.park('Far Park')];
    const pet = { name: 'Luna', breed: 'mixed', gender: 'FEMALE', birthday: '2020-02-02' } as const;
    const dog = (await ann.client.from('dogs').insert(pet).select('id').single()).data?.id ?? '';
    for (const who of [ann, ...Object.values(others)]) {
      await call(who, 'accept_terms', { p_licence: true });
      await host.sql`insert into notifications_preferences (user_id, friend_there) values (${who.id}, true)`;
      await host.sql`insert into favourite_parks (user_id, park_id) select ${who.id}, unnest(${parks}::bigint[])`;
      // Adds visits on earlier days, because the card of a regular's lost dog needs no review.
      await host.sql`insert into check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
        select ${who.id}, ${parks[0]}, 1, d, d + interval '1 hour', d + interval '1 hour'
        from (select now() - make_interval(days => n) as d from generate_series(40, 41) n) days`;
    }

    const state = {
      visit: null as { park: number; id: string; isPlan: boolean } | null,
      hidden: false,
      lost: false,
      /** The last photo of a visit, with the park that it shows, or null if it shows none. */
      photo: null as { id: string; visit: string; park: number | null } | null,
      keeps: false,
      friends: new Set<Other>(),
      /** Users whose request Ann has not accepted. */
      asked: new Set<Other>(),
      blocked: new Set<Other>(),
    };
    /** Names of the files of visit photos. */
    const names: string[] = [];
    /** Friend codes that were used or withdrawn. */
    const codes: string[] = [];
    const arrive = async (more: object) => {
      const park = random.pick(parks);
      const made = await call<{ check_in_id: string; status: string }>(ann, 'check_in', {
        ...{ p_park_id: park, p_dog_ids: [dog], p_switch: true, p_key: randomUUID() },
        ...more,
      });
      state.visit = { park, id: made.check_in_id, isPlan: made.status === 'planned' };
      await host.sql`update private.jobs set due_at = now() where type = 'notify-of-arrival'`;
      await host.sql`select private.notify_of_arrivals()`;
    };
    const meet = async (name: Other) => {
      const secret = await call<string>(ann, 'make_friend_code', { p_dog_id: dog });
      const code = { p_secret: secret, p_device: randomUUID().replaceAll('-', '') };
      codes.push(secret);
      await call(others[name], 'scan_friend_code', { ...code, p_keep: true });
      const answer = await call<string | null>(others[name], 'use_friend_code', code);
      const refused = state.blocked.has(name);
      expect(answer).toBe(refused ? null : state.friends.has(name) ? 'friends' : 'outgoing');
      if (refused) await call(ann, 'end_friend_codes');
      else if (!state.friends.has(name)) state.asked.add(name);
    };
    const hide = async (hidden: boolean) => {
      await ann.client.from('users').update({ hidden }).eq('id', ann.id);
      state.hidden = hidden;
    };
    const part = (name: Other) => {
      state.friends.delete(name);
      state.asked.delete(name);
    };
    const steps: Record<string, (name: Other) => Promise<unknown>> = {
      'check in': () => arrive({ p_location: { lat: 32.1, long: 34.8, accuracy: 10 } }),
      'on my way': () => arrive({ p_arrives_in: 10 }),
      'stop hiding': () => hide(false),
      'add a photo': async () => {
        const { visit } = state;
        if (!visit || visit.isPlan) return;
        if (state.photo) await call(ann, 'remove_visit_photo', { p_photo_id: state.photo.id });
        const id = await call<string>(ann, 'add_visit_photo', {
          p_visit_id: visit.id,
          p_dog_id: dog,
        });
        const { error } = await ann.client.storage
          .from('visit-photos')
          .upload(id, picture, { contentType: 'image/webp' });
        expect(error).toBeNull();
        names.push(id);
        state.photo = { id, visit: visit.id, park: null };
      },
      'show park and day': async () => {
        if (!state.photo) return;
        const shown = { p_photo_id: state.photo.id, p_shows_visit: true, p_is_kept: false };
        await call(ann, 'set_visit_photo', shown);
        const [row] = await host.sql<{ park: string }>`
          select park_id as park from check_ins where id = ${state.photo.visit}`;
        state.photo.park = Number(row?.park);
      },
      undo: async () => {
        if (!state.visit) return;
        await call(ann, 'undo_check_in', { p_visit_id: state.visit.id });
        if (state.photo?.visit === state.visit.id) state.photo = null;
        const [open] = await host.sql<{ park: string; id: string; type: string }>`
          select park_id as park, id, type::text from check_ins where user_id = ${ann.id} and ended_at is null`;
        state.visit = open
          ? { park: Number(open.park), id: open.id, isPlan: open.type === 'plan' }
          : null;
      },
      leave: async () => {
        if (state.visit) await call(ann, 'check_out', { p_visit_id: state.visit.id });
        state.visit = null;
      },
      'the visit expires': async () => {
        await host.sql`update check_ins set started_at = now() - interval '2 hours', expires_at = now() - interval '1 second',
          arrives_at = case when arrives_at is not null then now() - interval '1 hour' end
          where user_id = ${ann.id} and ended_at is null`;
        await host.sql`update notifications set data = data || jsonb_build_object('until', now() - interval '1 second')
          where sender_id = ${ann.id} and data ? 'until'`;
        state.visit = null;
      },
      hide: () => hide(true),
      meet,
      accept: async () => {
        for (const name of state.asked) {
          await call(ann, 'accept_friend_request', { p_user_id: others[name].id });
          state.friends.add(name);
        }
        state.asked.clear();
      },
      unfriend: async (name) => {
        await call(ann, 'unfriend', { p_user_id: others[name].id });
        state.friends.delete(name);
      },
      block: async (name) => {
        await call(ann, 'block_user', { p_user_id: others[name].id });
        state.blocked.add(name);
        if (name === 'keeper') state.keeps = false;
        part(name);
      },
      unblock: async (name) => {
        await call(ann, 'unblock_user', { p_user_id: others[name].id });
        state.blocked.delete(name);
      },
      'add a keeper': async () => {
        if (state.keeps || state.blocked.has('keeper')) return;
        const secret = await call(ann, 'make_dog_invite', { p_dog_id: dog, p_role: 'keeper' });
        await call(others.keeper, 'dog_invite', { p_secret: secret, p_request: true });
        const { invites } = await call<{ invites: { id: string }[] }>(ann, 'dog_carers', {
          p_dog_id: dog,
        });
        const answer = { p_invite_id: invites[0]?.id, p_accept: true };
        await call(ann, 'respond_to_dog_invite', answer);
        state.keeps = true;
      },
      'remove the keeper': async () => {
        await call(ann, 'remove_dog_carer', { p_dog_id: dog, p_user_id: others.keeper.id });
        state.keeps = false;
      },
      lose: async () => {
        await call(ann, 'report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.8 });
        state.lost = true;
      },
      find: async () => {
        await call(ann, 'found_dog', { p_dog_id: dog });
        state.lost = false;
      },
    };

    /** Returns whether the phone can download the last photo of a visit when it knows the name of the file. */
    const readable = async (phone: Phone) =>
      names.at(-1) !== undefined &&
      !(await phone.client.storage.from('visit-photos').download(names.at(-1) ?? '')).error;

    /** Returns the parts of a phone's screens that concern Ann. */
    const shown = async (phone: Phone) => {
      const now = await call<{ id: string; park_id: number }[]>(phone, 'friends_now');
      const pages = await Promise.all(
        parks.map((p_park_id) =>
          call<{ friends_here: { id: string }[] | null }>(phone, 'park_status', { p_park_id }),
        ),
      );
      const { data: told = [] } = await phone.client
        .from('notifications')
        .select('type,data')
        .eq('sender_id', ann.id)
        .in('type', ['friendThere', 'friendComing']);
      const rows = async (table: 'dogs' | 'users', id: string) =>
        (await phone.client.from(table).select('id').eq('id', id)).data?.length === 1;
      return {
        now: now.filter(({ id }) => id === ann.id).map(({ park_id }) => park_id),
        here: parks.filter((_, at) => pages[at]?.friends_here?.some(({ id }) => id === ann.id)),
        told: (told ?? [])
          .map(({ type, data }) => ({ type, ...(data as { visit_id: string; until: string }) }))
          .filter(({ until }) => Date.parse(until) > Date.now())
          .map(({ type, visit_id }) => `${type} ${visit_id}`),
        profile: await rows('users', ann.id),
        dog: await rows('dogs', dog),
        card: JSON.stringify(await call(phone, 'lost_dogs')).includes('Luna'),
        sightings: (await call(phone, 'my_lost_dog', { p_dog_id: dog })) !== null,
        photos: (
          await call<{ id: string; park_id: number | null }[]>(phone, 'visit_photos', {
            p_dog_id: dog,
          })
        ).map(({ id, park_id }) => `${id} ${park_id}`),
        files: await readable(phone),
      };
    };
    await meet('friend');
    for (const first of ['accept', 'check in', 'add a photo']) await steps[first]?.('friend');
    let [notified, photographed] = [0, 0];
    const days: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      // Arrivals and photos are chosen more often than other actions, so that the phones have something to show.
      const [what, act] = random.pick(Object.entries(steps).slice(0, random.chance(0.5) ? 4 : 99));
      const [name] = random.pick(phones);
      days.push(`${what} ${name}`);
      await act(name);
      await host.sql`delete from private.rate_limits`;
      for (const [role, phone] of phones) {
        const { told, ...view } = await shown(phone);
        const { visit, hidden } = state;
        const isFriend = state.friends.has(role) && !hidden;
        const sees = !state.blocked.has(role) && (!hidden || state.friends.has(role));
        const keeps = role === 'keeper' && state.keeps;
        const where = isFriend && visit && !visit.isPlan ? [visit.park] : [];
        expect({ days, role, ...view }).toEqual({
          ...{ days, role, now: where, here: where, profile: sees, dog: sees || keeps },
          card: state.lost && !state.blocked.has(role),
          sightings: state.lost && keeps,
          photos: isFriend && state.photo ? [`${state.photo.id} ${state.photo.park}`] : [],
          files: isFriend && state.photo !== null,
        });
        // Friends are notified only at the time of an arrival, so users who become friends later are not. No other notifications
        // are allowed.
        const allowed = `${visit?.isPlan ? 'friendComing' : 'friendThere'} ${visit?.id}`;
        expect({ days, role, told }).toEqual({
          ...{ days, role },
          told: isFriend && visit ? told.filter((each) => each === allowed) : [],
        });
        notified += told.length;
        photographed += view.photos.length;
        for (const secret of codes.slice(-2))
          expect(
            await call(phone, 'scan_friend_code', { p_secret: secret, p_device: 'a'.repeat(32) }),
          ).toBeNull();
      }
      const { data: requests } = await ann.client.from('friend_requests').select('user_id');
      expect((requests ?? []).map(({ user_id }) => user_id).sort()).toEqual(
        [...state.asked].map((role) => others[role].id).sort(),
      );
    }
    expect(Math.min(notified, photographed)).toBeGreaterThan(0);
    await steps.find?.('friend');
  });
