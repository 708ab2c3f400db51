// Every call that the app makes of the database, as plain requests: what `npm run bench -- country` measures.
import { randomUUID } from 'node:crypto';
import { parksOf, peopleOf, personId, type Scale } from './country.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the host's address. */
  path: string;
  /** Who asks; null without a session. */
  person: string | null;
  body?: object;
  headers?: Record<string, string>;
}

export interface CallKind {
  name: string;
  /** Milliseconds of p99. */
  limit: number;
  /** The call number `index`; callers differ, as people do. */
  call(index: number): Call;
}

const LIMIT = 100;
const SEARCH_LIMIT = 150;
/** Of names and dogs: a common one, a short one, a rare one, one with a mistake. */
const SEARCHES = ['noa', 'sh', 'neta zohar', 'yonatn', 'pitzi', 'fried'];

const NOTIFICATION =
  'id,type,sender_id,title,app_message,read_at,seen_at,created_at,data,sender:users!notifications_sender_id_fkey(id,name)';
const DOG =
  'id,owner,name,breed,gender,birthday,size,temperament,energy,possessive,likes,dislikes,description';
const PARK =
  'id,size,size_label,materials,shade,has_facilities,facts,fact_sources,outline,lat,long,status,primary_photo,source,source_ref,source_date,licence';

/** All kinds of calls. */
export function countryCalls(scale: Scale): CallKind[] {
  const people = peopleOf(scale);
  const parks = parksOf(scale);
  // The first twenty have three hundred friends and thousands of notifications: the worst case asks most often.
  const heavy = (index: number) => personId(1 + (index % 20));
  // Each call of a kind that writes is another person's: limits are for persons.
  const light = (index: number) => personId(1000 + ((index * 97) % (people - 3000)));
  const other = (index: number) => personId(2000 + ((index * 89) % (people - 3000)));
  const park = (index: number) => 1 + ((index * 10) % parks);

  const get = (name: string, path: (index: number) => string, person = heavy): CallKind => ({
    name,
    limit: LIMIT,
    call: (index) => ({ method: 'GET', path: `/rest/v1/${path(index)}`, person: person(index) }),
  });
  const anonymous = (kind: CallKind): CallKind => ({
    ...kind,
    name: `${kind.name} (anonymous)`,
    call: (index) => ({ ...kind.call(index), person: null }),
  });
  const rpc = (
    name: string,
    body: (index: number) => object = () => ({}),
    person = heavy,
  ): CallKind => ({
    name,
    limit: LIMIT,
    call: (index) => ({
      method: 'POST',
      path: `/rest/v1/rpc/${name}`,
      person: person(index),
      body: body(index),
    }),
  });
  const own = (name: string, call: CallKind['call']): CallKind => ({ name, limit: LIMIT, call });
  const write = (
    name: string,
    method: Call['method'],
    path: (index: number) => string,
    body: (index: number) => object,
    prefer = 'return=minimal',
  ): CallKind => ({
    name,
    limit: LIMIT,
    call: (index) => ({
      method,
      path: `/rest/v1/${path(index)}`,
      person: light(index),
      body: body(index),
      headers: { prefer },
    }),
  });
  const keyed = (body: (index: number) => object) => (index: number) => ({
    ...body(index),
    p_key: randomUUID(),
  });
  const aPark = (index: number) => ({ p_park_id: park(index) });
  const somebody = (index: number) => ({ p_user_id: other(index) });
  const dog = (index: number) => ({
    owner: light(index),
    name: 'Bench',
    breed: 'Mixed',
    gender: 'MALE',
    birthday: '2020-02-02',
  });
  const search = {
    ...rpc(
      'search_users_with_dogs',
      (index) => ({ input: SEARCHES[index % SEARCHES.length] }),
      light,
    ),
    limit: SEARCH_LIMIT,
  };
  const reviews = (order: string) =>
    get(
      `park_reviews ${order}`,
      (index) =>
        `park_reviews?select=id,park_id,title,content,rank,anonymous,author_id,author_name,author_picture,mine,created_at,updated_at&park_id=eq.${park(index)}&order=${order},id&limit=20`,
    );
  const parkPage = get(
    'park with translations and photos',
    (index) =>
      `parks?select=${PARK},park_translations(name,city,address,language),park_photos(path,status)&id=eq.${park(index)}&park_photos.status=neq.rejected&park_photos.limit=20`,
  );
  const status = rpc('park_status', aPark);

  return [
    // Where everybody looks.
    anonymous(get('live_counts all', () => 'rpc/live_counts?p_fresh=true')),
    anonymous(
      get(
        'live_counts since',
        () => `rpc/live_counts?p_since=${Math.floor(Date.now() / 3000) - 5}&p_fresh=true`,
      ),
    ),
    rpc('friends_now'),
    status,
    anonymous(status),
    rpc('park_visitors', aPark),
    rpc('park_busy_hours', aPark),
    // As many cards as a phone shows.
    rpc('parks_busy_hours', (index) => ({
      p_park_ids: [park(index), park(index + 1), park(index + 2), park(index + 3)],
    })),
    parkPage,
    anonymous(parkPage),
    anonymous(
      get('facts of 1000 parks', (index) => {
        const from = (index * 1000) % parks;
        return `parks?select=id,primary_photo&primary_photo=not.is.null&order=id&offset=${from}&limit=1000`;
      }),
    ),
    reviews('created_at.desc'),
    reviews('rank.desc,created_at.desc'),
    get(
      'my review of a park',
      (index) =>
        `park_reviews?select=id,title,content,rank,anonymous,updated_at&park_id=eq.${park(index)}&mine=eq.true&limit=1`,
    ),
    rpc('suggest_places', (index) => ({ input: ['hay', 'tel aviv', 'גינ', 'grove'][index % 4] })),
    // Being there.
    rpc(
      'check_in',
      keyed((index) => ({ ...aPark(index), p_switch: true })),
      light,
    ),
    rpc('my_check_in', undefined, light),
    rpc(
      'extend_stay',
      keyed(() => ({ p_minutes: 5 })),
      light,
    ),
    rpc(
      'report_condition',
      keyed((index) => ({ p_park_id: 1 + (index % parks), p_condition: 'muddy' })),
      light,
    ),
    rpc(
      'confirm_condition',
      keyed(() => ({ p_report_id: randomUUID() })),
      light,
    ),
    rpc(
      'end_condition',
      keyed(() => ({ p_report_id: randomUUID() })),
      light,
    ),
    rpc(
      'check_out',
      keyed(() => ({})),
      light,
    ),
    rpc(
      'save_review',
      keyed((index) => ({ ...aPark(index), p_title: 'Good', p_content: 'Water.', p_rank: 4 })),
      light,
    ),
    rpc('my_reviews', undefined, light),
    rpc('delete_review', () => ({ p_review_id: randomUUID() }), light),
    rpc('report_review', () => ({ p_review_id: randomUUID(), p_reason: 'spam' }), light),
    // People.
    get(
      'user by id',
      (index) => `users?select=id,name,hidden,theme,language,created_at&id=eq.${heavy(index)}`,
    ),
    get('users by list', (index) => {
      const ids = Array.from({ length: 20 }, (_, n) => other(index * 20 + n));
      return `users?select=id,name&id=in.(${ids.join(',')})`;
    }),
    search,
    {
      ...search,
      name: `${search.name} (anonymous)`,
      // Visitors' searches are limited by address: these come from many.
      call: (index) => ({
        ...search.call(index),
        person: null,
        headers: { 'x-forwarded-for': `10.${(index >> 8) % 256}.${index % 256}.1` },
      }),
    },
    rpc('user_page', somebody),
    rpc('user_reviews', somebody),
    get(
      'dogs of an owner',
      (index) => `dogs?select=${DOG}&owner=eq.${other(index)}&deleted_at=is.null&order=created_at`,
    ),
    get('dogs of 20 owners', (index) => {
      const ids = Array.from({ length: 20 }, (_, n) => other(index * 20 + n));
      return `dogs?select=${DOG}&owner=in.(${ids.join(',')})&deleted_at=is.null`;
    }),
    get('dog by id', (index) => `dogs?select=${DOG}&owner=eq.${heavy(index)}&limit=1`),
    write(
      'update user',
      'PATCH',
      (index) => `users?id=eq.${light(index)}`,
      () => ({ theme: 'dark' }),
    ),
    write('insert dog', 'POST', () => 'dogs?select=id', dog, 'return=representation'),
    write(
      'update dog',
      'PATCH',
      (index) => `dogs?owner=eq.${light(index)}`,
      () => ({ size: 'LARGE' }),
    ),
    rpc('delete_dog', () => ({ dog_id: randomUUID() }), light),
    // Friends.
    get('friends', () => 'friends?select=user_id,name,since&order=name'),
    get(
      'friend_requests',
      () => 'friend_requests?select=user_id,name,direction,created_at&order=created_at.desc',
    ),
    rpc('friendship_with', somebody),
    rpc('send_friend_request', keyed(somebody), light),
    rpc('accept_friend_request', somebody, light),
    rpc('decline_friend_request', somebody, light),
    rpc('cancel_friend_request', somebody, light),
    rpc('unfriend', somebody, light),
    rpc('block_user', somebody, light),
    rpc('my_blocks', undefined, light),
    rpc('unblock_user', somebody, light),
    rpc('report_user', (index) => ({ ...somebody(index), p_reason: 'spam' }), light),
    // Notifications.
    get(
      'unseen notifications',
      (index) =>
        `notifications?select=${NOTIFICATION}&receiver_id=eq.${heavy(index)}&is_ready=is.true&seen_at=is.null&order=created_at.desc&limit=200`,
    ),
    get(
      'history of notifications',
      (index) =>
        `notifications?select=${NOTIFICATION}&receiver_id=eq.${heavy(index)}&is_ready=is.true&seen_at=not.is.null&order=created_at.desc&limit=20`,
    ),
    get(
      'older history',
      (index) =>
        `notifications?select=${NOTIFICATION}&receiver_id=eq.${heavy(index)}&is_ready=is.true&seen_at=not.is.null&created_at=lt.${new Date(Date.now() - 200 * 86_400_000).toISOString()}&order=created_at.desc&limit=20`,
    ),
    own('unseen count', (index) => ({
      method: 'GET',
      path: `/rest/v1/notifications?select=id&receiver_id=eq.${heavy(index)}&is_ready=is.true&seen_at=is.null&limit=1`,
      person: heavy(index),
      headers: { prefer: 'count=exact' },
    })),
    rpc('mark_notification_read', () => ({ notification_id: randomUUID() }), light),
    rpc('mark_all_notifications_as_seen', undefined, light),
    rpc('mark_all_notifications_as_read', undefined, light),
    get(
      'notification preferences',
      (index) => `notifications_preferences?user_id=eq.${heavy(index)}`,
    ),
    write(
      'update preferences',
      'PATCH',
      (index) => `notifications_preferences?user_id=eq.${light(index)}`,
      () => ({ friend_request: true }),
    ),
    own('upsert device token', (index) => ({
      method: 'POST',
      path: '/rest/v1/device_tokens?on_conflict=device_id',
      person: light(index),
      body: {
        user_id: light(index),
        device_id: `bench-device-${index}`,
        platform: 'android',
        token: `token-${index}`,
      },
      headers: { prefer: 'return=minimal,resolution=merge-duplicates' },
    })),
    rpc('api_cleanup_device_tokens', (index) => ({ p_device_id: `bench-device-${index}` }), light),
    // The rest of one's own.
    get('favourites', () => 'favourite_parks?select=park_id&order=created_at.desc'),
    write(
      'add favourite',
      'POST',
      () => 'favourite_parks?on_conflict=user_id,park_id',
      (index) => ({ park_id: 1 + ((index * 7) % parks) }),
      'return=minimal,resolution=ignore-duplicates',
    ),
    own('remove favourite', (index) => ({
      method: 'DELETE',
      path: `/rest/v1/favourite_parks?park_id=eq.${1 + ((index * 7) % parks)}`,
      person: light(index),
    })),
    get('invites', () => 'park_invites?select=*&order=meet_at'),
    rpc(
      'invite_to_park',
      keyed((index) => ({
        ...aPark(index),
        p_friend_ids: [other(index)],
        p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
      })),
      light,
    ),
    rpc('my_consents', undefined, light),
    rpc('accept_terms', undefined, light),
    rpc('confirm_age', undefined, light),
    rpc(
      'submit_park',
      keyed(() => ({
        p_name: 'New park',
        p_city: 'Haifa',
        p_address: 'Street 1',
        p_lat: 32.5,
        p_long: 35,
      })),
      light,
    ),
    rpc(
      'suggest_park_details',
      keyed((index) => ({ ...aPark(index), p_shade: 3 })),
      light,
    ),
    write(
      'update park (suggests)',
      'PATCH',
      (index) => `parks?id=eq.${park(index)}`,
      () => ({ shade: 4 }),
    ),
    // Besides the database.
    own('the session’s user', (index) => ({
      method: 'GET',
      path: '/auth/v1/user',
      person: light(index),
    })),
    own('list photos of a dog', (index) => ({
      method: 'POST',
      path: '/storage/v1/object/list/users',
      person: heavy(index),
      body: { prefix: `${heavy(index)}/dogs/${randomUUID()}/primary`, limit: 100, offset: 0 },
    })),
    own('published list', () => ({
      method: 'GET',
      path: '/storage/v1/object/public/parks/parks-en.json',
      person: null,
      headers: { 'accept-encoding': 'br' },
    })),
  ];
}
