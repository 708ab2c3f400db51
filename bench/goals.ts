// The limits of each benchmark: `pass`, and the more ambitious `stretch`. A figure is the measured value. A ratio is the figure
// divided by the control of the same run.

/** Maximum of a figure, and of its ratio to the control. With `atLeast` they are minimums. */
export interface Bounds {
  figure?: number;
  ratio?: number;
}

export interface Goal {
  what: string;
  unit: string;
  control?: string;
  atLeast?: true;
  pass?: Bounds;
  stretch?: Bounds;
}

const WHOLE_APP = 'all JavaScript of the app';
const EMPTY_PAGE = 'an empty page';
const BASELINE_BUTTON = 'a plain button';
const CLUSTER_PLUGIN = 'leaflet.markercluster';
const BASELINE_DATABASE = 'initdb and start of PostgreSQL alone';

const size = (what: string, pass?: number, stretch?: number): Goal => ({
  what,
  unit: 'KB',
  control: WHOLE_APP,
  ...(pass !== undefined && { pass: { figure: pass } }),
  ...(stretch !== undefined && { stretch: { figure: stretch } }),
});
const interaction = (what: string): Goal => ({
  what: `${what}, processor 4× slower`,
  unit: 'ms',
  control: BASELINE_BUTTON,
  pass: { figure: 100 },
  stretch: { figure: 60 },
});
const none = (what: string, unit: string): Goal => ({ what, unit, pass: { figure: 0 } });
const atMost = (
  what: string,
  unit: string,
  pass: number,
  stretch?: number,
  control?: string,
): Goal => ({
  what,
  unit,
  ...(control && { control }),
  pass: { figure: pass },
  ...(stretch !== undefined && { stretch: { figure: stretch } }),
});

export const GOALS = {
  'home script': size('JavaScript until the home map is usable, logged out', 165, 150),
  'entry script': size('entry closure', 115, 105),
  'route script': size('largest own chunk of another route', 20, 8),
  'route closure': size('largest other route with the chunks it shares'),
  'i18n script': size('i18n runtime', 1.5, 1),
  catalogues: atMost('catalogues downloaded', 'files', 1, 1, 'languages'),
  'home styles': size('CSS on the home map', 9, 7),
  'blocking fonts': none('fonts that block', 'files'),
  'busy hours script': size('card with the busy-hours chart, script and styles', 2, 1),
  'paw clock script': size('paw clock, script and styles', 2, 1),

  'first paint': atMost('first contentful paint', 'ms', 600, 500, EMPTY_PAGE),
  'largest paint': atMost('largest contentful paint', 'ms', 2000, 1600, EMPTY_PAGE),
  'map ready': atMost('map ready', 'ms', 1800, 1400),
  'blocking time': atMost('total blocking time', 'ms', 100, 50, EMPTY_PAGE),
  'layout shift': atMost('layout shift', 'score', 0.02, 0, EMPTY_PAGE),
  'repeat visit': atMost('map ready on a repeat visit', 'ms', 600, 400, 'the first visit'),
  'repeat visit offline': atMost(
    'map ready on a repeat visit without a network',
    'ms',
    600,
    400,
    'the first visit',
  ),
  'open popup': interaction('open the popup of a park'),
  'switch tab': interaction('switch a tab'),
  'switch language': interaction('switch the language'),
  'tap row': interaction('tap a row of the list'),
  'drag paw clock': interaction('drag the hand of the paw clock'),

  'first clusters': {
    what: '100,000 parks: first clusters',
    unit: 'ms',
    control: CLUSTER_PLUGIN,
    pass: { figure: 600, ratio: 1 / 25 },
    stretch: { figure: 300, ratio: 1 / 50 },
  },
  'longest map task': atMost(
    '100,000 parks: longest main-thread task, processor 4× slower, loading and 7 zooms',
    'ms',
    90,
    50,
    CLUSTER_PLUGIN,
  ),
  'marker nodes': atMost('100,000 parks: live marker nodes', 'nodes', 200, 100, CLUSTER_PLUGIN),
  'own map script': size('vector map: code downloaded only by sites with one', 50, 35),
  'own map ready': {
    what: 'vector map: map ready',
    unit: 'ms',
    control: 'raster tiles',
    pass: { ratio: 1.3 },
    stretch: { ratio: 1.1 },
  },
  'own map task': atMost(
    'vector map: longest task while panning, processor 4× slower',
    'ms',
    100,
    50,
    'raster tiles',
  ),
  'park list': atMost('park list per 1000 parks, as sent', 'KB', 18, 14, 'gzip 9'),

  'rest reads': {
    what: 'REST reads of 20 rows with a token, role and row-level security, 16 connections',
    unit: '/s',
    control: 'the raw query through pg',
    atLeast: true,
    pass: { ratio: 0.45 },
    stretch: { ratio: 0.6 },
  },
  'check-ins': {
    what: 'check-ins over HTTP with a token, 16 connections',
    unit: '/s',
    control: 'pgbench calling the same function with the same role and claims',
    atLeast: true,
    pass: { ratio: 0.7 },
    stretch: { ratio: 0.85 },
  },
  'racing check-ins': none('lost or double check-ins in 10,000 racing pairs', 'check-ins'),
  notification: {
    what: 'notification from insert to socket, 1000 sockets, 500/s, p99',
    unit: 'ms',
    control: 'plain LISTEN + ws',
    pass: { figure: 15, ratio: 2 },
    stretch: { figure: 5, ratio: 1.2 },
  },
  'lost notifications': none('notifications that did not arrive', 'notifications'),
  'event to all': atMost(
    'one event to 1000 sockets of as many users, p99',
    'ms',
    60,
    35,
    'plain LISTEN + ws',
  ),
  'missed events': none('sockets that missed the event', 'sockets'),
  push: atMost(
    'push from insert to the push service, 10,000 subscriptions, 100/s, p99',
    'ms',
    500,
    100,
  ),
  'push memory': {
    ...atMost('growth of the host’s memory through those pushes', 'MB', 20),
    control: 'before garbage collection',
  },
  'push beside a dead service': atMost(
    'pushes to working services while a tenth goes to one that never responds, p99',
    'ms',
    500,
    100,
    'without that service',
  ),
  'lost pushes': none('pushes that did not reach a working service', 'pushes'),
  'unseen count': atMost('SQL statements for the unseen count', 'statements', 1),
  'list page': atMost('SQL statements for a list page', 'statements', 2),
  'park page': atMost('SQL statements for a park page', 'statements', 3),
  'first start': {
    what: 'first start on an empty disk, seeded, app built',
    unit: 's',
    control: BASELINE_DATABASE,
    pass: { figure: 2.2, ratio: 2.5 },
    stretch: { figure: 1.5 },
  },
  'unbuilt start': {
    what: 'first start with nothing built',
    unit: 's',
    control: BASELINE_DATABASE,
    pass: { figure: 4, ratio: 4 },
    stretch: { figure: 3 },
  },
  'later start': {
    what: 'later start',
    unit: 's',
    control: BASELINE_DATABASE,
    pass: { figure: 0.4, ratio: 0.4 },
    stretch: { figure: 0.3 },
  },
  logins: {
    what: 'p99 of /healthz during 20 concurrent logins',
    unit: 'ms',
    control: 'the same, idle',
    pass: { ratio: 3.5 },
    stretch: { ratio: 2 },
  },
  photo: atMost('a 12-megapixel photo to 1280 px WebP', 'ms', 200, 100, 'sharp alone'),
  'photo size': atMost('size of that photo', 'KB', 150, 60),
  memory: atMost(
    'resident memory of the host after 10,000 requests',
    'MB',
    100,
    85,
    'right after the start',
  ),

  'live host': atMost(
    'live map, large dataset, 10,000 viewers: processor time of the host',
    '% of a core',
    9,
    6,
    'a plain HTTP server with the same bytes',
  ),
  'live database': atMost(
    'live map: processor time of PostgreSQL, check-ins included',
    '% of a core',
    1,
    0.5,
  ),
  'live bytes': atMost(
    'live map: bytes per viewer and minute, headers of both directions included',
    'KB',
    4,
    1.5,
  ),
  'second tab': atMost('own check-in seen in the second tab, median', 'ms', 200, 100),
  'second phone': atMost('own check-in seen on the second phone, median', 's', 1, 0.3),
  'idle requests': {
    what: 'requests of an open park page in ten idle minutes',
    unit: 'requests',
    pass: { figure: 40 },
  },
  'live own': atMost('live map: own check-in seen, p99', 'ms', 200),
  'live others': atMost('live map: check-in seen by others, median', 's', 10, 3),
  'live missed': none('live map: check-ins that a viewer missed', 'check-ins'),
  call: {
    what: 'call on the large dataset, 16 connections, p99',
    unit: 'ms',
    control: 'a tenth of the data',
    pass: { figure: 100, ratio: 2 },
    stretch: { figure: 40, ratio: 1.3 },
  },
  'compressed responses': {
    what: 'REST response of at least 4 KB, compressed',
    unit: 'bytes',
    control: 'uncompressed',
    pass: { ratio: 1 / 3 },
    stretch: { ratio: 1 / 5 },
  },
  'short responses': {
    what: 'small REST responses to clients that accept compression',
    unit: '/s',
    control: 'to other clients',
    atLeast: true,
    pass: { ratio: 0.95 },
  },
  'memory under images': atMost(
    'growth of memory during the most expensive uploads',
    'MB',
    300,
    150,
  ),
  'thumbnail under images': atMost(
    'thumbnail of another user during those uploads, p99',
    'ms',
    1000,
    undefined,
    'on an idle host',
  ),
  'upload under images': atMost(
    'upload of another user during those uploads, p99',
    'ms',
    3000,
    undefined,
    'on an idle host',
  ),
} satisfies Record<string, Goal>;

export interface Result {
  goal: keyof typeof GOALS;
  figure: number;
  control?: number;
  /** Distinguishes several results of the same goal. */
  of?: string;
  /** Information for judging the figure. */
  note?: string;
}

const holds = (goal: Goal, bounds: Bounds, figure: number, ratio: number | undefined) => {
  const within = (value: number | undefined, bound: number | undefined) =>
    bound === undefined ||
    (value !== undefined && (goal.atLeast ? value >= bound : value <= bound));
  return within(figure, bounds.figure) && within(ratio, bounds.ratio);
};

/** Adds the ratio and the verdict to a result, which is then stored and shown. */
export function judge({ goal: name, figure, control, of, note }: Result) {
  const goal: Goal = GOALS[name];
  const ratio = control === undefined ? undefined : figure / control;
  const verdict =
    goal.stretch && holds(goal, goal.stretch, figure, ratio)
      ? 'stretch'
      : goal.pass && (holds(goal, goal.pass, figure, ratio) ? 'pass' : 'miss');
  return {
    goal: name,
    ...(of !== undefined && { of }),
    figure: round(figure),
    control: control === undefined ? undefined : round(control),
    ratio: ratio === undefined ? undefined : round(ratio),
    unit: goal.unit,
    verdict,
    note,
  };
}

const round = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
