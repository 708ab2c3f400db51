// Every database call of the app as a plain request. `npm run bench -- large-dataset` measures them.
import { randomUUID } from 'node:crypto';
import { words } from '../../testing/seeded.ts';
import {
  ADMINISTRATORS,
  hazardsOf,
  HEAVY,
  meetingTime,
  MODERATORS,
  parksOf,
  usersOf,
  userId,
  photoPath,
  targetsOf,
  idOf,
  type Scale,
} from './large-dataset-sizes.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the host's URL. */
  path: string;
  /** ID of the calling user; null without a session. */
  user: string | null;
  /**
   * `aal2` for a session that used a second factor, which the desk requires; `service` for the service key, which functions use.
   */
  as?: 'aal2' | 'service';
  body?: object;
  headers?: Record<string, string>;
}

interface CallKind {
  name: string;
  /** The number of calls, if the dataset has too few rows for the default. */
  calls?: number;
  /** The number of concurrent calls, if more would be rejected. */
  connections?: number;
  /** Returns call number `index`. Each call has another caller. */
  call(index: number): Call;
}

/** Database functions that are not measured, by reason. */
export const NOT_MEASURED: Record<string, string[]> = {
  'happens once in the life of an account': words(
    'delete_user_data finish_user_deletion unfinished_user_deletions',
  ),
  'waits for external services': words('claim_service_slot limit_service_share'),
  'the whole list, made once for everybody: bench/park-list.ts': ['parks_for_publishing'],
  'recipient by the one job that publishes the list': words('stale_park_list park_list_published'),
  'the whole list as open data, made once for everybody': ['open_parks'],
  'recipient by the host for calendar programs; reads what my_meetings reads': ['calendar_of'],
  'a job: one runner at a time': words(
    'claim_pushes finish_push claim_photo_moves finish_photo_move good_time_parks notify_of_good_times',
  ),
  'the few photos of one dog': words(
    'add_visit_photo visit_photos set_visit_photo remove_visit_photo',
  ),
  'three a day of one user': words('make_pack_time report_lost_dog'),
  'rare, and needs a dog, a link or what was reported before': words(`
    answer_finder dog_tag found_dog report_sighting report_lost_card make_dog_invite dog_invite respond_to_dog_invite
    remove_dog_carer offer_to_take_over hand_over_dog report_pack_time
    make_friend_code end_friend_codes use_friend_code
  `),
  'so often an hour from one address': words(
    'tag_card tag_answer send_from_tag scan_friend_code report_app_error',
  ),
  'a command of operators; what it does is desk_decide of a merge': ['desk_change_park'],
  'a few people of each town': words(`
    town_desk town_post_notice town_withdraw_notice town_respond_to_hazard town_undo town_set_mail town_confirm_mail
  `),
  'needs a login of the last minutes': words(
    'desk_allow_download desk_remove_factors desk_publish_own_card',
  ),
  'once a minute': words('desk_back_up desk_send_test_mail'),
  'once a minute at most for the page of administrators (server/src/product/site/site-status.ts)': [
    'desk_numbers',
  ],
};

/** Number of calls, including the warm-up, if each changes a different row. It must not exceed `targetsOf('tenth')`. */
const FEW = 160;
/** Search texts for names and dogs: a common one, a short one, a rare one, one with a typo. */
const SEARCHES = ['noa', 'sh', 'neta zohar', 'yonatn', 'pitzi', 'fried'];

const NOTIFICATION =
  'id,type,sender_id,title,app_message,read_at,seen_at,created_at,data,sender:users!notifications_sender_id_fkey(id,name,picture)';
const DOG =
  'id,owner,name,breed,gender,birthday,birthday_by_month,size,temperament,energy,possessive,likes,dislikes,description,photo';
const PARK =
  'id,size,size_label,materials,shade,has_facilities,facts,fact_sources,outline,lat,long,status,primary_photo,source,source_ref,source_date,licence';

/** A request body. Functions in it are called with the number of the call. */
type Body = Record<string, unknown>;
const filled = (body: Body, index: number): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'function' ? value(index) : value,
    ]),
  );

interface Pair {
  requester(index: number): string;
  recipient(index: number): string;
}

export function largeDatasetCalls(scale: Scale): CallKind[] {
  const users = usersOf(scale);
  const parks = parksOf(scale);
  // Returns a user with three hundred friends and thousands of notifications, which is the worst case.
  const heavy = (index: number) => userId(1 + (index % HEAVY));
  // Returns another user for each writing call, because limits are per user.
  const light = (index: number) => userId(1000 + ((index * 97) % (users - 3000)));
  // Returns a user that is never the one that `light` returns for the same index, because the two numbers differ by an odd amount:
  // 97 - 89 is even and 2001 - 1000 is odd.
  const other = (index: number) => userId(2001 + ((index * 89) % (users - 3000)));
  const park = (index: number) => 1 + ((index * 10) % parks);
  // Returns a different row for each call.
  const target = (index: number) => 1 + (index % targetsOf(scale));
  const ownerFrom = (first: number) => (index: number) => userId(first + target(index));
  const hazard = (index: number) => 1 + (index % hazardsOf(scale));
  const moderator = (index: number) => userId(MODERATORS.first + (index % MODERATORS.many));
  const administrator = (index: number) =>
    userId(ADMINISTRATORS.first + (index % ADMINISTRATORS.many));
  // Two users with a friend request or a friendship. Each call changes another pair.
  const pairOf = (kind: number) => ({
    requester: (index: number) => userId(14_000 + target(index)),
    recipient: (index: number) => userId(14_000 + target(index) + 700 * (kind + 1)),
  });
  const friendOfHeavy = (index: number) =>
    userId(
      100 + (((1 + (Math.floor(index / HEAVY) % 300)) * 31 + 1 + (index % HEAVY)) % (users - 100)),
    );
  const shownPhoto = (index: number) => `${park(index)}/other/${idOf('shown', park(index))}.webp`;

  const get = (name: string, path: (index: number) => string, user = heavy): CallKind => ({
    name,
    call: (index) => ({ method: 'GET', path: `/rest/v1/${path(index)}`, user: user(index) }),
  });
  const anonymous = (kind: CallKind): CallKind => ({
    ...kind,
    name: `${kind.name} (anonymous)`,
    call: (index) => ({ ...kind.call(index), user: null }),
  });
  const rpc = (name: string, body: Body = {}, user = heavy): CallKind => ({
    name,
    call: (index) => ({
      method: 'POST',
      path: `/rest/v1/rpc/${name}`,
      user: user(index),
      body: filled(body, index),
    }),
  });
  const lightRpc = (name: string, body?: Body) => rpc(name, body, light);
  const own = (name: string, call: CallKind['call']): CallKind => ({ name, call });
  const as = (role: 'aal2' | 'service', kind: CallKind): CallKind => ({
    ...kind,
    call: (index) => ({ ...kind.call(index), as: role }),
  });
  const desk = (name: string, body?: Body, user = moderator) => as('aal2', rpc(name, body, user));
  const service = (name: string, body: Body) => as('service', rpc(name, body));
  const write = (
    name: string,
    method: Call['method'],
    path: (index: number) => string,
    body: Body,
    prefer = 'return=minimal',
  ): CallKind => ({
    name,
    call: (index) => ({
      method,
      path: `/rest/v1/${path(index)}`,
      user: light(index),
      body: filled(body, index),
      headers: { prefer },
    }),
  });
  const keyed = (body: Body): Body => ({ ...body, p_key: () => randomUUID() });
  const the = (kind: string) => (index: number) => idOf(kind, target(index));
  const twenty = (index: number) => Array.from({ length: 20 }, (_, n) => other(index * 20 + n));
  const measured = (index: number) => userId(8000 + target(index));
  const waitingPhoto = (index: number) => photoPath(scale, target(index));
  const nextPark = (index: number) => 1 + (index % parks);
  const liked = (index: number) => 1 + ((index * 7) % parks);
  const condition = (index: number) => idOf('condition', 1 + (index % (parks / 20)));
  const searched = (index: number) => SEARCHES[index % SEARCHES.length];
  const dog = {
    id: (index: number) => idOf('bench dog', index),
    owner: light,
    name: 'Bench',
    breed: 'Mixed',
    gender: 'MALE',
    birthday: '2020-02-02',
  };
  const search = lightRpc('search_users_with_dogs', { input: searched });
  const reviews = (order: string) =>
    get(
      `park_reviews ${order}`,
      (index) =>
        `park_reviews?select=id,park_id,title,content,rank,anonymous,author_id,author_name,author_picture,mine,created_at,updated_at&park_id=eq.${park(index)}&order=${order},id&limit=20`,
    );
  const notifications = (name: string, which: () => string, limit = 20) =>
    get(
      name,
      (index) =>
        `notifications?select=${NOTIFICATION}&receiver_id=eq.${heavy(index)}&is_ready=is.true&${which()}&order=created_at.desc&limit=${limit}`,
    );
  const parkPage = get(
    'park with translations and photos',
    (index) =>
      `parks?select=${PARK},park_translations(name,city,address,language),park_photos(path,status)&id=eq.${park(index)}&park_photos.status=neq.rejected&park_photos.of_hazard=is.false&park_photos.limit=60`,
  );
  const status = rpc('park_status', { p_park_id: park });
  const company = rpc('park_company', { p_park_id: park });
  const [accepting, declining, cancelling, ending] = [0, 1, 2, 3].map(pairOf) as [
    Pair,
    Pair,
    Pair,
    Pair,
  ];
  /** Limits the number of calls, because each changes a different row. */
  const few = (kind: CallKind): CallKind => ({ ...kind, calls: FEW });
  const deskPhoto = { p_type: 'photo', p_id: waitingPhoto };

  return [
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
    company,
    anonymous(company),
    // Requests as many cards as a phone shows, by POST, because the shared cache would return responses to GET.
    anonymous(
      rpc('park_cards', {
        p_park_ids: (index: number) => [0, 1, 2, 3].map((n) => park(index + n)),
      }),
    ),
    parkPage,
    anonymous(parkPage),
    get('outlines of 40 parks', (index) => {
      const ids = Array.from({ length: 40 }, (_, n) => 1 + ((index * 40 + n) % parks));
      return `parks?select=id,outline&id=in.(${ids.join(',')})&outline=not.is.null`;
    }),
    anonymous(rpc('removed_park', { p_park_id: park })),
    anonymous(get('mail_is_late', () => 'rpc/mail_is_late')),
    reviews('created_at.desc'),
    reviews('rank.desc,created_at.desc'),
    get(
      'my review of a park',
      (index) =>
        `park_reviews?select=id,title,content,rank,anonymous,updated_at&park_id=eq.${park(index)}&mine=eq.true&limit=1`,
    ),
    rpc('suggest_places', {
      input: (index: number) => ['hay', 'tel aviv', 'גינ', 'grove'][index % 4],
    }),
    lightRpc('check_in', keyed({ p_park_id: park, p_switch: true })),
    lightRpc('my_check_in'),
    lightRpc('park_question'),
    few(
      rpc(
        'respond_to_park_question',
        keyed({ p_check_in_id: the('asked'), p_value: 'yes' }),
        ownerFrom(3000),
      ),
    ),
    lightRpc('extend_stay', keyed({ p_visit_id: the('asked'), p_minutes: 5 })),
    lightRpc('report_condition', keyed({ p_park_id: nextPark, p_condition: 'muddy' })),
    lightRpc('confirm_report', keyed({ p_report_id: condition })),
    lightRpc('end_report', keyed({ p_report_id: condition })),
    lightRpc(
      'report_hazard',
      keyed({
        p_park_id: nextPark,
        p_hazard: (index: number) => ['poison', 'glass', 'awns', 'noWater'][index % 4],
      }),
    ),
    lightRpc(
      'inform_city',
      keyed({ p_report_id: (index: number) => idOf('hazard', hazard(index)) }),
    ),
    few(
      rpc(
        'add_hazard_photo',
        {
          // The hazard to which the photo belongs.
          p_report_id: (index: number) =>
            idOf('hazard', target(index) % hazardsOf(scale) || hazardsOf(scale)),
          p_path: waitingPhoto,
        },
        ownerFrom(5000),
      ),
    ),
    lightRpc('check_out', keyed({ p_visit_id: the('asked') })),
    lightRpc('undo_check_in', keyed({ p_visit_id: the('asked') })),
    lightRpc('ask_for_review', { p_visit_id: the('asked') }),
    lightRpc(
      'save_review',
      keyed({ p_park_id: park, p_title: 'Good', p_content: 'Water.', p_rank: 4 }),
    ),
    lightRpc('my_reviews'),
    few(rpc('delete_review', { p_review_id: the('own review') }, ownerFrom(13_000))),
    few(lightRpc('report_review', { p_review_id: the('review'), p_reason: 'spam' })),
    lightRpc('report_photo', { p_path: shownPhoto, p_reason: 'spam' }),
    get(
      'user by id',
      (index) =>
        `users?select=id,name,hidden,theme,language,created_at,show_friends,show_favourites,own_changes(changed_at)&id=eq.${heavy(index)}`,
    ),
    get('users by list', (index) => `users?select=id,name&id=in.(${twenty(index).join(',')})`),
    search,
    {
      ...search,
      name: `${search.name} (anonymous)`,
      // Anonymous searches are limited by IP address, so these come from many addresses.
      call: (index) => ({
        ...search.call(index),
        user: null,
        headers: { 'x-forwarded-for': `10.${(index >> 8) % 256}.${index % 256}.1` },
      }),
    },
    rpc('user_page', { p_user_id: other }),
    rpc('user_reviews', { p_user_id: other }),
    rpc('friends_of', { p_user_id: heavy }, friendOfHeavy),
    rpc('favourites_of', { p_user_id: heavy }, friendOfHeavy),
    get(
      'dogs of an owner',
      (index) => `dogs?select=${DOG}&owner=eq.${other(index)}&deleted_at=is.null&order=created_at`,
    ),
    get(
      'dogs of 20 owners',
      (index) => `dogs?select=${DOG}&owner=in.(${twenty(index).join(',')})&deleted_at=is.null`,
    ),
    get('dog by id', (index) => `dogs?select=${DOG}&owner=eq.${heavy(index)}&limit=1`),
    write('update user', 'PATCH', (index) => `users?id=eq.${light(index)}`, { theme: 'dark' }),
    write('insert dog', 'POST', () => 'dogs?select=id', dog, 'return=representation'),
    write('update dog', 'PATCH', (index) => `dogs?owner=eq.${light(index)}`, { size: 'LARGE' }),
    lightRpc('dog_carers', { p_dog_id: dog.id }),
    lightRpc('kept_dogs'),
    lightRpc('delete_dog', { dog_id: dog.id }),
    get('friends', () => 'friends?select=user_id,name,since,picture&order=name'),
    get(
      'friend_requests',
      () =>
        'friend_requests?select=user_id,name,direction,created_at,picture&order=created_at.desc',
    ),
    lightRpc('send_friend_request', keyed({ p_user_id: other })),
    few(rpc('accept_friend_request', { p_user_id: accepting.requester }, accepting.recipient)),
    few(rpc('decline_friend_request', { p_user_id: declining.requester }, declining.recipient)),
    few(rpc('cancel_friend_request', { p_user_id: cancelling.recipient }, cancelling.requester)),
    few(rpc('unfriend', { p_user_id: ending.recipient }, ending.requester)),
    lightRpc('block_user', { p_user_id: other }),
    lightRpc('my_blocks'),
    lightRpc('unblock_user', { p_user_id: other }),
    lightRpc('report_user', { p_user_id: other, p_reason: 'spam' }),
    notifications('unseen notifications', () => 'seen_at=is.null', 200),
    notifications('history of notifications', () => 'seen_at=not.is.null'),
    notifications(
      'older history',
      () =>
        `seen_at=not.is.null&created_at=lt.${new Date(Date.now() - 200 * 86_400_000).toISOString()}`,
    ),
    own('unseen count', (index) => ({
      method: 'GET',
      path: `/rest/v1/notifications?select=id&receiver_id=eq.${heavy(index)}&is_ready=is.true&seen_at=is.null&limit=1`,
      user: heavy(index),
      headers: { prefer: 'count=exact' },
    })),
    lightRpc('mark_notification_read', { notification_id: () => randomUUID() }),
    lightRpc('mark_all_notifications_as_seen'),
    lightRpc('mark_all_notifications_as_read'),
    get(
      'notification preferences',
      (index) => `notifications_preferences?user_id=eq.${heavy(index)}`,
    ),
    write(
      'update preferences',
      'PATCH',
      (index) => `notifications_preferences?user_id=eq.${light(index)}`,
      { friend_request: true },
    ),
    write(
      'upsert device token',
      'POST',
      () => 'device_tokens?on_conflict=device_id',
      {
        user_id: light,
        device_id: (index: number) => `bench-device-${index}`,
        platform: 'android',
        token: (index: number) => `device-token-${index}`,
      },
      'return=minimal,resolution=merge-duplicates',
    ),
    lightRpc('subscribe_to_push', {
      p_subscription: (index: number) => ({
        endpoint: `https://push.example.org/${index}`,
        keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
      }),
    }),
    lightRpc('api_cleanup_device_tokens', {
      p_device_id: (index: number) => `bench-device-${index}`,
    }),
    get('favourites', () => 'favourite_parks?select=park_id&order=created_at.desc'),
    write(
      'add favourite',
      'POST',
      () => 'favourite_parks?on_conflict=user_id,park_id',
      { park_id: liked },
      'return=minimal,resolution=ignore-duplicates',
    ),
    own('remove favourite', (index) => ({
      method: 'DELETE',
      path: `/rest/v1/favourite_parks?park_id=eq.${liked(index)}`,
      user: light(index),
    })),
    get('invites', () => 'park_invites?select=*&order=meet_at'),
    lightRpc(
      'invite_to_park',
      keyed({
        p_park_id: park,
        p_friend_ids: (index: number) => [other(index)],
        p_meet_at: () => new Date(Date.now() + 3_600_000).toISOString(),
      }),
    ),
    rpc('my_meetings'),
    rpc('park_pack_times', { p_park_id: park }),
    lightRpc('respond_to_pack_time', {
      p_pack_time_id: (index: number) => idOf('invite', index),
      p_comes: false,
    }),
    lightRpc('lost_dogs'),
    lightRpc('my_lost_dog', { p_dog_id: () => randomUUID() }),
    lightRpc('make_calendar_feed'),
    lightRpc('my_calendar_feed'),
    lightRpc('end_calendar_feed'),
    few(
      rpc('respond_to_invite', { p_invite_id: the('invite'), p_accept: true }, ownerFrom(11_000)),
    ),
    few(
      rpc(
        'call_off_meeting',
        {
          p_park_id: (index: number) => 1 + (target(index) % parks),
          p_meet_at: (index: number) => meetingTime(target(index)),
        },
        ownerFrom(3000),
      ),
    ),
    rpc('my_sessions'),
    few(
      rpc(
        'end_my_session',
        // Sessions from 100 on, because the first users need a second factor.
        { p_session_id: (index: number) => idOf('session', 100 + target(index)) },
        ownerFrom(101),
      ),
    ),
    few(rpc('my_contributions', {}, ownerFrom(5000))),
    lightRpc('my_consents'),
    lightRpc('accept_terms'),
    lightRpc('confirm_age'),
    lightRpc(
      'submit_park',
      keyed({
        p_name: 'New park',
        p_city: 'Haifa',
        p_address: 'Street 1',
        p_lat: 32.5,
        p_long: 35,
      }),
    ),
    lightRpc('suggest_park_details', keyed({ p_park_id: park, p_shade: 3 })),
    write('update park (suggests)', 'PATCH', (index) => `parks?id=eq.${park(index)}`, { shade: 4 }),
    service('export_user_page', { p_user_id: heavy }),
    {
      ...service('export_user_page', {
        p_user_id: heavy,
        p_after: (index: number) => ({
          list: 'notifications',
          at: new Date(Date.now() - (index % 250) * 86_400_000).toISOString(),
          id: '',
        }),
      }),
      name: 'export_user_page of notifications',
    },
    lightRpc('my_role'),
    desk('desk_counts'),
    desk('desk_queue'),
    desk('desk_own_items'),
    { ...desk('desk_queue', { p_types: ['photo'] }), name: 'desk_queue of photos' },
    few(desk('desk_claim', deskPhoto)),
    few(desk('desk_release', deskPhoto)),
    few(service('desk_decide', { p_type: 'correction', p_id: the('suggestion'), p_approve: true })),
    {
      ...desk('desk_decide_many', {
        p_type: 'park',
        p_ids: (index: number) =>
          Array.from({ length: 5 }, (_, n) => String(parks + target(index * 5 + n))),
        p_approve: false,
        p_reason: 'not_true',
      }),
      calls: 16,
    },
    desk('desk_decisions'),
    few(desk('desk_undo', { p_decision_id: the('decision') })),
    desk('desk_users', { p_search: searched }),
    few(desk('desk_user', { p_user_id: measured })),
    few(
      desk('desk_impose_sanction', {
        p_type: 'user',
        p_id: measured,
        p_sanction: 'warn',
        p_reason: 'spam',
      }),
    ),
    few(desk('desk_revoke_sanction', { p_sanction_id: the('sanction') })),
    desk('desk_next'),
    desk('desk_members', {}, administrator),
    desk('desk_audit_log', {}, administrator),
    desk('desk_imports', {}, administrator),
    few(desk('desk_allow_import', { p_file: 'parks.csv' }, administrator)),
    {
      ...few(desk('desk_undo_import', { p_import_id: () => randomUUID() }, administrator)),
      connections: 1,
    },
    { ...desk('desk_audit_log', { p_before: 5000 }, administrator), name: 'desk_audit_log older' },
    desk('desk_app_errors', {}, administrator),
    desk('open_desk', { p_code: 'AAAAA-BBBBB-CCCCC-DDDDD' }),
    // Calls by operators and by pages that the host renders.
    service('desk_set_role', { p_user_id: other, p_role: null }),
    few(service('desk_revoke_sanctions', { p_user_id: measured })),
    service('choose_primary_photo', { p_path: shownPhoto }),
    service('park_now', { p_park_id: park }),
    few(
      own('signed URLs of queued photos', (index) => ({
        method: 'POST',
        path: '/storage/v1/object/sign/pending-photos',
        user: ownerFrom(5000)(index),
        body: { expiresIn: 300, paths: [waitingPhoto(index)] },
      })),
    ),
    own('the session’s user', (index) => ({
      method: 'GET',
      path: '/auth/v1/user',
      user: light(index),
    })),
    own('list photos of a dog', (index) => ({
      method: 'POST',
      path: '/storage/v1/object/list/users',
      user: heavy(index),
      body: { prefix: `${heavy(index)}/dogs/${randomUUID()}/primary`, limit: 100, offset: 0 },
    })),
    own('published list', () => ({
      method: 'GET',
      path: '/storage/v1/object/public/parks/parks-en.json',
      user: null,
      headers: { 'accept-encoding': 'br' },
    })),
    // This call is the last, because it removes parks.
    {
      ...service('desk_decide', {
        p_type: 'merge',
        p_id: (index: number) => idOf('merge', 1 + index),
        p_approve: true,
      }),
      name: 'desk_decide of a merge',
      calls: 8,
    },
  ];
}
