// Generates malformed and malicious requests to every route of the host, as bytes. A seed makes them reproducible.
import { schemaNames } from './schema-names.ts';
import { seeded, words, type Seeded } from './seeded.ts';

const UUID = '00000000-0000-4000-8000-000000000000';
const SCHEMA = schemaNames();
/** Names that do not exist, in addition to the schema's. */
const WRONG_NAMES = ['nope', '__proto__'];
const TABLES = [...SCHEMA.tables, ...WRONG_NAMES, '%00', '%ff'];
const CALLS = [...SCHEMA.calls, ...WRONG_NAMES];
const FUNCTIONS = [...SCHEMA.functions, ...WRONG_NAMES, '..%2fserver', ''];
/** Words of the protocols. Half of all names are taken from here, the others from the schema. */
const PROTOCOL_WORDS = words(`
  columns data token type email password refresh_token phone select order limit offset and or
  on_conflict prefix paths prefixes bucketId sourceKey destinationKey expiresIn search sortBy
  q lon latitude longitude from to redirect_to provider code_challenge auth_code code_verifier
  token_hash id_token factor_type friendly_name grant_type width height quality format
  download topic event payload ref __proto__ constructor toString p_conditions p_dogs
  user_metadata ban_duration
`);
const SCHEMA_WORDS = [...SCHEMA.columns, ...SCHEMA.parameters];
const TEXTS = [
  ...words(`
    0 1 -1 x null true eq.1 in.(1,2 not.is.null * id,users(*) id,dogs!inner(name) a@b.test
    nonsense ../../../etc/passwd 1e999 NaN -0 {{.Token}} <script> javascript:alert(1)
    //evil.test file:///etc/passwd 2026-02-30T25:61:00Z infinity %00 % ((((( ) {"a": כלב كلب
    password google pkce signup recovery
  `),
  '',
  ' ',
  UUID,
  "'; drop table users; --",
  '..\\..\\x',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff x',
  '\u202e\u2066',
  '💚'.repeat(40),
  'x'.repeat(3000),
  '9'.repeat(400),
  '${7*7}',
  '\r\nx: y',
];
function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1e308,
  -1e-320,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  ['a', 1],
  { a: { b: [] } },
  { '\ud800': '\udc00x' },
  nested(40),
  nested(3000),
];
const METHODS = words('GET GET GET POST POST POST PUT PATCH DELETE HEAD OPTIONS');
const ODD_METHODS = ['BREW', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'G\0T', 'PURGE'];
const AUTH = [
  ...words(`
    signup token?grant_type=password token?grant_type=refresh_token token?grant_type=pkce
    token?grant_type=id_token logout user otp verify recover resend reauthenticate
    recovery-codes recovery-codes/verify not-me authorize callback factors admin/users
    admin/generate_link settings health invite nope magiclink .well-known/jwks.json sso
    user/identities/authorize
  `),
  `factors/${UUID}/verify`,
  `factors/${UUID}/challenge`,
  `admin/users/${UUID}`,
];
const STORAGE = words(`
  bucket bucket/users bucket/parks/empty object/users/ object/parks/
  object/pending-photos/1/other/ object/public/parks/ object/public/users/
  object/authenticated/users/ object/sign/users/ object/sign/users object/upload/sign/users/
  object/list/users object/list/parks object/list-v2/users object/move object/copy
  object/info/users/ object/info/public/parks/ render/image/public/parks/
  render/image/sign/users/ render/image/authenticated/users/ upload/resumable
  upload/resumable/x s3 status nope
`);
const WEB = [
  ...words(`
    index.html healthz readyz metrics config.json parks/1 parks/99999999999999999999 parks/x
    en/parks/1 robots.txt sitemap.xml manifest.webmanifest sw.js assets/x.js
    .well-known/assetlinks.json .well-known/apple-app-site-association inbox inbox/1 .env
    .git/config delete-account graphql/v1 realtime/v1/api/broadcast
  `),
  '',
];
/** Endings of paths that no client would send. */
const TAILS = [
  ...words(`
    a.png / // .. ../../../../etc/passwd %2e%2e/%2e%2e/etc/passwd ..%2f..%2f ..%5c %00 a%00.png
    % %zz %E0%A4%A %ED%A0%80 %FF ; # ? %F0%9F%90%95 parks-en.json . %2e
  `),
  '',
  '',
  '\\',
  'a'.repeat(4000),
  `${UUID}/dogs/x/primary/a.png`,
  'x/'.repeat(200),
];
const TYPES = [
  ...words(`
    application/json application/json application/json text/plain text/csv
    application/x-www-form-urlencoded multipart/form-data image/png image/avif
    application/octet-stream x application/vnd.pgrst.object+json application/offset+octet-stream
  `),
  'multipart/form-data; boundary=b',
  '',
  'application/json; charset=utf-16',
];
const HEADERS = words(`
  accept accept-encoding accept-language range if-none-match if-modified-since prefer x-upsert
  accept-profile content-profile x-forwarded-for x-forwarded-host x-forwarded-proto origin
  referer user-agent cookie x-client-info x-supabase-api-version content-encoding x-metadata
  cache-control access-control-request-headers te upgrade expect upload-length upload-metadata
  tus-resumable forwarded
`);
const HEADER_TEXTS = ['', '*', '*/*', 'text/csv', 'application/vnd.pgrst.object+json', 'gzip', 'br;q=0', 'he,ar;q=0.9', '0-1', 'bytes=0-1', 'bytes=-1',
  'bytes=5-2', 'bytes=0-0,2-3,x', '0-99999999999999999999', 'return=representation,count=exact', 'handling=strict,max-affected=x', 'tx=rollback', 'true',
  'public', 'private', 'auth', '127.0.0.1', '::1, x', 'evil.test', 'https://evil.test', '"x"', 'W/"', 'Thu, 32 Foo 2026', 'é', '\x01', '\t', 'x'.repeat(6000),
  '100-continue', 'websocket', 'h2c', 'chunked', 'deflate', 'eyJhIjoxfQ==', '{', '-1', '2024-01-01']; // oxfmt-ignore

const anyWord = (random: Seeded) => random.pick(random.chance(0.5) ? PROTOCOL_WORDS : SCHEMA_WORDS);

function damaged(random: Seeded, text: string): string {
  const at = random.upTo(text.length + 1);
  return random.pick([
    () => text.slice(0, at),
    () =>
      text.slice(0, at) +
      random.pick(['"', '{', ']', ',', '\\', '\0', '\\ud800', '%']) +
      text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text + text,
  ])();
}

function anyValue(random: Seeded, depth = 2): unknown {
  if (depth > 0 && random.chance(0.15)) return anyObject(random, depth - 1);
  return random.chance(0.7) ? random.pick(TEXTS) : random.pick(VALUES);
}

function anyObject(random: Seeded, depth = 2): Record<string, unknown> {
  const entries = Array.from({ length: random.upTo(6) }, () => [
    anyWord(random),
    anyValue(random, depth),
  ]);
  return Object.fromEntries(entries);
}

const ascii = (text: string) => Buffer.from(text, 'latin1');
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, ascii(type), content]);
};
const FLAGS = Buffer.alloc(4);
/** Images that claim to be far larger than they are, or that are also valid in another format. */
const PICTURES = [
  // A PNG of 4294967295 × 4294967295, and one with an endless text chunk.
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0806', 'hex'),
    Buffer.alloc(200),
  ]),
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
    Buffer.from('1f15c4897fffffff7a545874', 'hex'),
    Buffer.alloc(500, 'x'),
  ]),
  // A JPEG of 65535 × 65535 in several scans, and EXIF data whose entries point to themselves.
  Buffer.from('ffd8ffc20011 08ffffffff 03012200021101031101 ffda000c03010002110311003f00'.replaceAll(' ', ''), 'hex'),
  Buffer.concat([
    Buffer.from('ffd8ffe10022457869660000', 'hex'),
    Buffer.from('49492a0008000000ffff6987040001000000080000000800', 'hex'),
    Buffer.from('0000ffd9', 'hex'),
  ]),
  // A WebP of 16384 × 16384 with an animation without frames.
  Buffer.concat([ascii('RIFF'), Buffer.from('ffffff7f', 'hex'), ascii('WEBPVP8X'), Buffer.from('0a00000012000000ff3f00ff3f00', 'hex')]),
  // GIF of 65535 × 65535.
  Buffer.concat([ascii('GIF89a'), Buffer.from('ffffffff800000000000ffffff2c00000000ffffffff0002', 'hex')]),
  // AVIF of 4294967295 × 4294967295.
  Buffer.concat([
    box('ftyp', ascii('avif'), FLAGS, ascii('avifmif1miaf')),
    box('meta', FLAGS, box('iprp', box('ipco', box('ispe', FLAGS, Buffer.alloc(8, 0xff))))),
  ]),
  // TIFF and SVG, which must never be accepted as images, and a page that starts like a GIF.
  Buffer.from('49492a0008000000ffff', 'hex'),
  ascii('<svg xmlns="http://www.w3.org/2000/svg"><!ENTITY a "b"><image href="file:///etc/passwd"/></svg>'),
  ascii('GIF89a=1;/*<script>alert(1)</script>*/'),
]; // prettier-ignore

/** Values that pass the first checks of a signup or login. */
const PLAUSIBLE = { email: 'a@b.test', password: 'correct horse', bucketId: 'users', prefix: '' };

function anyBody(random: Seeded): string | Buffer {
  const json = () =>
    JSON.stringify({ ...(random.chance(0.5) ? PLAUSIBLE : {}), ...anyObject(random) });
  return random.pick<() => string | Buffer>([
    json,
    json,
    json,
    json,
    () => damaged(random, json()),
    () => JSON.stringify(Array.from({ length: random.upTo(5) }, () => anyObject(random))),
    () => JSON.stringify(anyValue(random)),
    () => '',
    () => '['.repeat(20_000),
    () => `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    () => `{"name":"\\ud800","id":"\\u0000"}`,
    () => Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0xed, 0xa0, 0x80]),
    () =>
      `--b\r\ncontent-disposition: form-data; name="${random.pick(TEXTS.slice(0, 12))}"\r\n\r\n${json()}\r\n--b--\r\n`,
    () => '--b\r\ncontent-disposition: form-data; name=""; filename="../x\0.png"\r\n\r\nx',
    () => new URLSearchParams({ [anyWord(random)]: String(random.pick(TEXTS)) }).toString(),
    () => random.pick(PICTURES),
  ])();
}

/** Percent-encodes any text; encodeURIComponent throws on lone surrogates. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

function anyQuery(random: Seeded) {
  const parts = Array.from({ length: random.upTo(4) }, () => {
    const text = String(random.pick(TEXTS));
    return `${anyWord(random)}=${random.chance(0.9) ? encoded(text) : text.replace(/[\s\0]/g, '%')}`;
  });
  const query = parts.join('&');
  return random.chance(0.1) ? damaged(random, query) : query;
}

const PATHS: ((random: Seeded) => string)[] = [
  (random) => `/rest/v1/${random.pick(TABLES)}`,
  (random) => `/rest/v1/rpc/${random.pick(CALLS)}`,
  (random) => `/auth/v1/${random.pick(AUTH)}`,
  (random) => `/storage/v1/${random.pick(STORAGE)}${random.pick(TAILS)}`,
  (random) => `/functions/v1/${random.pick(FUNCTIONS)}`,
  (random) => `/${random.pick(WEB)}`,
  (random) => `/${random.pick(['rest', 'auth', 'storage', 'functions', 'realtime'])}/v1${random.pick(['', '/', '//'])}${random.pick(TAILS)}`,
  (random) => random.pick(['/..', '//', '/%', '*', 'http://[::1/', 'http://evil.test/x', '/\\', '/%00', 'x', '/rest/v1/../../etc']),
]; // oxfmt-ignore

const API = /^\/(rest|auth|storage|functions)\/v1/;

const bytes = (text: string | Buffer): Buffer =>
  Buffer.isBuffer(text) ? text : Buffer.from(text, 'utf8');

export interface HostileRequest {
  bytes: Buffer;
  /** True if the host must respond; false if the request never ends. */
  complete: boolean;
  label: string;
}

/**
 * Returns request number `index` of the run with this seed.
 * @param tokens for the API key and the bearer token: the anonymous key, three valid ones, then expired and forged ones
 */
export function hostileRequest(seed: number, index: number, tokens: string[]): HostileRequest {
  const random = seeded(Math.imul(seed, 0x9e3779b1) ^ index);
  const anonymousKey = tokens[0] ?? '';
  const path = random.pick(PATHS)(random);
  const query = random.chance(0.4)
    ? anyQuery(random)
    : random.pick(['', '', path.startsWith('/rest/v1/') ? 'select=*&limit=2' : '']);
  const target = `${path}${query === '' ? '' : path.includes('?') ? '&' : '?'}${query}`.replace(
    /[\s\0]/g,
    '%20',
  );
  let method = random.pick(API.test(path) || random.chance(0.2) ? METHODS : ['GET', 'GET', 'HEAD']);
  if (random.chance(0.04)) method = random.pick(ODD_METHODS);
  const headers: [string, string][] = [['connection', 'close']];
  if (!random.chance(0.03))
    headers.push(['host', random.chance(0.04) ? random.pick(HEADER_TEXTS) : '127.0.0.1']);
  if (!random.chance(0.1))
    headers.push(['apikey', random.chance(0.9) ? anonymousKey : random.pick(tokens)]);
  if (random.chance(0.7))
    headers.push([
      'authorization',
      `${random.chance(0.95) ? 'Bearer' : 'Basic'} ${random.pick(random.chance(0.75) ? tokens.slice(1, 4) : tokens)}`,
    ]);
  for (let more = random.upTo(3); more > 0; more -= 1)
    headers.push([random.pick(HEADERS), random.pick(HEADER_TEXTS)]);
  if (random.chance(0.01))
    headers.push(['x-huge', 'x'.repeat(random.pick([9000, 20_000, 70_000]))]);

  let body: Buffer = Buffer.alloc(0);
  let complete = true;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method) || random.chance(0.05)) {
    body = bytes(random.chance(0.004) ? 'x'.repeat(6_500_000) : anyBody(random));
    headers.push(['content-type', random.pick(TYPES)]);
    if (random.chance(0.04)) {
      complete = false;
      headers.push([
        'content-length',
        String(random.pick([body.length + 10, '-1', '1e3', '99999999999999999999'])),
      ]);
    } else if (random.chance(0.05)) {
      complete = random.chance(0.5);
      headers.push(['transfer-encoding', 'chunked']);
      body = Buffer.concat([
        bytes(`${complete ? body.length.toString(16) : 'zz'}\r\n`),
        body,
        bytes('\r\n0\r\n\r\n'),
      ]);
    } else headers.push(['content-length', String(body.length)]);
  }
  const head = `${method} ${target} HTTP/1.1\r\n${headers.map(([name, text]) => `${name}: ${text}\r\n`).join('')}\r\n`;
  return {
    bytes: Buffer.concat([bytes(head), body]),
    complete,
    label: `${method} ${target.slice(0, 300)} ${JSON.stringify(body.toString('latin1').slice(0, 300))}`,
  };
}

const EVENTS = [
  ...words(`
    phx_join phx_join phx_leave heartbeat access_token broadcast presence postgres_changes x
  `),
  '',
];
const TOPICS = [
  'realtime:a',
  'realtime:notifications',
  'phoenix',
  '',
  'realtime:',
  '__proto__',
  'x'.repeat(3000),
  7,
  null,
];

/** Returns a realtime message, well-formed or not, as text or bytes. */
function hostileMessage(random: Seeded, tokens: string[]): string | Buffer {
  const change = {
    event: random.pick(['UPDATE', '*', 'NOPE', 1]),
    schema: 'public',
    table: random.pick(TABLES),
    filter: random.pick(['id=eq.1', ...TEXTS]),
  };
  const payload = random.chance(0.6)
    ? {
        config: {
          postgres_changes: random.chance(0.8)
            ? [change, anyObject(random)].slice(random.upTo(2))
            : anyValue(random),
        },
        access_token: random.pick([...tokens, null, 5]),
      }
    : anyValue(random);
  const parts = [
    random.pick(['1', null, 1, {}]),
    random.pick(['1', null, '']),
    random.pick(TOPICS),
    random.pick(EVENTS),
    payload,
  ];
  const text = JSON.stringify(
    random.chance(0.6)
      ? { join_ref: parts[0], ref: parts[1], topic: parts[2], event: parts[3], payload }
      : parts,
  );
  return random.pick<() => string | Buffer>([
    () => text,
    () => text,
    () => text,
    () => damaged(random, text),
    () => '['.repeat(10_000),
    () => Buffer.from([random.upTo(5), 255, 0, 3, random.upTo(256)]),
    () => 'x'.repeat(random.pick([10, 70_000])),
  ])();
}

export interface HostileSocket {
  query: string;
  messages: (string | Buffer)[];
  /** Bytes that are not a WebSocket frame. */
  garbage: Buffer | null;
}

/** The query and messages of socket number `index` of the run with this seed. */
export function hostileSocket(seed: number, index: number, tokens: string[]): HostileSocket {
  const random = seeded(Math.imul(seed, 0x85ebca6b) ^ index);
  const key = random.chance(0.85) ? (tokens[0] ?? '') : random.pick(tokens);
  return {
    query: `apikey=${encoded(key)}&vsn=${random.pick(['1.0.0', '2.0.0', '2.0.0', 'x'])}`,
    messages: Array.from({ length: 1 + random.upTo(12) }, () => hostileMessage(random, tokens)),
    garbage: random.chance(0.3)
      ? Buffer.from(Array.from({ length: 30 }, () => random.upTo(256)))
      : null,
  };
}
