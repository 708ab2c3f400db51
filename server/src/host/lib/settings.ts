// The host's settings: read from the environment once, checked against a schema, and passed down as a value.
import * as v from 'valibot';
import { StartError } from '#/host/lib/start-error.ts';

const optionalText = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1)));
const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.url('must be an http(s) address'),
  v.regex(/^https?:\/\//, 'must be an http(s) address'),
);
const wholeNumber = (low: number, high: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `must be a whole number from ${low} to ${high}`),
    v.transform(Number),
    v.minValue(low, `must be a whole number from ${low} to ${high}`),
    v.maxValue(high, `must be a whole number from ${low} to ${high}`),
  );
const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((item) => item.trim())),
  v.transform((items) => items.filter((item) => item !== '')),
);
const flag = v.pipe(
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((text) => text === 'true'),
);

/** One entry for each environment variable that the host reads. Defaults are those of one machine. */
export const settingsSchema = v.object({
  PORT: v.optional(wholeNumber(0, 65535), '3000'),
  HOST: v.optional(v.string(), 'localhost'),
  DATA_DIR: v.optional(v.string(), 'data'),
  DATABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
  ),
  SITE_URL: v.optional(httpUrl),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'warn',
  ),
  /** `production` switches the demo off. */
  NODE_ENV: v.optional(v.string(), 'development'),
  /** Whether an empty database gets the demo parks and people; never in production. */
  DEMO: v.optional(flag),
  /** Set where a reverse proxy of ours adds the client's address to X-Forwarded-For. */
  TRUST_PROXY: v.optional(flag, 'false'),
  STALL_SECONDS: v.optional(wholeNumber(1, 3600), '120'),
  /** With it, /metrics answers `Authorization: Bearer <token>` from anywhere; without, only this machine, and on a public site nobody. */
  METRICS_TOKEN: optionalText,
  TILE_URL: v.optional(httpUrl, 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  TILE_ATTRIBUTION: v.optional(
    v.string(),
    '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap contributors</a>',
  ),
  /** Whether devices may keep tiles that were on their screen, for a while; some providers forbid it. */
  TILE_KEEP: v.optional(flag, 'true'),
  GEOCODER_URL: v.optional(httpUrl, 'https://nominatim.openstreetmap.org'),
  GEOCODER_AUTOCOMPLETE: v.optional(flag, 'false'),
  WEATHER_URL: v.optional(httpUrl, 'https://api.open-meteo.com'),
  /** For all users together, as the free Open-Meteo allows it; more with a plan or a service of one's own. */
  WEATHER_PER_DAY: v.optional(wholeNumber(1, 1_000_000_000), '10000'),
  /** One for all users together on the public Nominatim; more on a service of one's own. */
  GEOCODER_PER_SECOND: v.optional(wholeNumber(1, 1000), '1'),
  ROUTER_URL: v.optional(httpUrl),
  /** The service account's JSON that sends pushes; unset: no pushes. */
  FCM_SERVICE_ACCOUNT: v.optional(
    v.pipe(v.string(), v.regex(/^\s*\{/, 'must be the JSON of a service account')),
  ),
  FCM_URL: v.optional(httpUrl, 'https://fcm.googleapis.com'),
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')),
  ),
  MAIL_FROM: optionalText,
  /** Where people write to the operators; shown on the info pages. Read by `contactAddress`. */
  CONTACT_EMAIL: v.optional(v.pipe(v.string(), v.email('must be an email address'))),
  /** Where the bytes of pictures go instead of DATA_DIR, so that several hosts share them. */
  S3_ENDPOINT: v.optional(httpUrl),
  S3_BUCKET: optionalText,
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  /** Whether strangers may make an account. */
  AUTH_SIGNUP: v.optional(flag, 'true'),
  /** Whether an email must be confirmed before the first login; unset: only when SMTP_URL is set. */
  AUTH_CONFIRM_EMAIL: v.optional(flag),
  AUTH_PASSWORD_LENGTH: v.optional(wholeNumber(6, 64), '8'),
  /** Attempts of each kind that one address may make in five minutes. */
  AUTH_RATE_LIMIT: v.optional(wholeNumber(1, 1_000_000), '150'),
  /** Seconds between two mails to one address. */
  AUTH_MAIL_INTERVAL: v.optional(wholeNumber(0, 3600), '60'),
  /** The only emails or @domains that may have an account; unset: all. */
  AUTH_EMAILS_ALLOWED: v.optional(list),
  /** Whether a new password needs a mailed code when the login is more than a day old. */
  AUTH_REAUTHENTICATE: v.optional(flag, 'false'),
  /** Addresses besides SITE_URL that links may lead back to; * stands for anything but a dot or slash, ** for anything. */
  ADDITIONAL_REDIRECT_URLS: v.optional(list, ''),
  CAPTCHA_PROVIDER: v.optional(
    v.picklist(['hcaptcha', 'turnstile'], 'must be hcaptcha or turnstile'),
  ),
  /** The public key with which the app asks the provider for an answer. */
  CAPTCHA_SITE_KEY: optionalText,
  CAPTCHA_SECRET: optionalText,
  /** Where captcha answers are verified; unset: the provider's own address. */
  CAPTCHA_URL: v.optional(httpUrl),
  /** Client ids at Google: the web client first, then those of the native apps. */
  GOOGLE_CLIENT_ID: v.optional(list),
  /** The web client's secret; unset: only ID tokens from the native apps are accepted. */
  GOOGLE_CLIENT_SECRET: optionalText,
  GOOGLE_ISSUER: v.optional(httpUrl, 'https://accounts.google.com'),
  /** Client ids at Apple: the services id first, then the bundle ids of the native apps. */
  APPLE_CLIENT_ID: v.optional(list),
  /** What signs Apple's client secrets; unset: only ID tokens from the native apps are accepted. */
  APPLE_TEAM_ID: optionalText,
  APPLE_KEY_ID: optionalText,
  /** The key file's content (PKCS 8, ES256); line ends may be written as \\n. */
  APPLE_PRIVATE_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replaceAll('\\n', '\n').trim()),
      v.regex(/^-----BEGIN PRIVATE KEY-----/, 'must be a PKCS 8 private key in PEM'),
    ),
  ),
  APPLE_ISSUER: v.optional(httpUrl, 'https://appleid.apple.com'),
  /** Where text messages for phone factors are handed over (GoTrue's send-SMS hook); unset: no phone factors. */
  SMS_WEBHOOK_URL: v.optional(httpUrl),
  /** The key that signs what is handed over (Standard Webhooks): v1,whsec_ and base64. */
  SMS_WEBHOOK_SECRET: v.optional(
    v.pipe(v.string(), v.regex(/^v1,whsec_[\w+/=-]+$/, 'must look like v1,whsec_<base64>')),
  ),
  /** Seconds that an access token is good for. */
  JWT_LIFETIME: v.optional(wholeNumber(60, 604_800), '3600'),
  /** Hours after which a session ends, however active; unset: never. */
  SESSION_MAX_HOURS: v.optional(wholeNumber(1, 87_600)),
  /** Hours without a refresh after which a session ends; unset: never. */
  SESSION_IDLE_HOURS: v.optional(wholeNumber(1, 87_600)),
  /** The native apps that may open our links: an Android package with its certificate's SHA-256, an iOS `TEAMID.bundle`. */
  ANDROID_PACKAGE: v.optional(v.string(), 'app.packpark'),
  ANDROID_CERT_SHA256: optionalText,
  APPLE_APP_ID: optionalText,
});

export type Settings = v.InferOutput<typeof settingsSchema>;

/** A wrong setting: its message is one sentence that names the variable. */
export class SettingsError extends StartError {}

/**
 * Reads the settings from an environment; empty values count as not set.
 * @throws SettingsError naming the first wrong variable.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.keys(settingsSchema.entries)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = v.safeParse(settingsSchema, given);
  if (!result.success) {
    const issue = result.issues[0];
    throw new SettingsError(`The setting ${v.getDotPath(issue)} is wrong: it ${issue.message}.`);
  }
  if (result.output.DEMO && result.output.NODE_ENV === 'production')
    throw new SettingsError(
      'The setting DEMO is wrong: it must not be true where NODE_ENV is production, because the demo people have public passwords.',
    );
  return result.output;
}

/**
 * Where people can write to the operators: what is set for it, else the sender of the mails that they get anyway.
 * @returns null where nobody reads either
 */
export function contactAddress({ CONTACT_EMAIL, MAIL_FROM = '' }: Settings): string | null {
  const sender = /<([^<>]*)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  const answers =
    v.is(v.pipe(v.string(), v.email()), sender) && !/^(no|do-?not)[-_.]?reply/i.test(sender);
  return CONTACT_EMAIL ?? (answers ? sender : null);
}

/** Whether an empty database gets the demo: by default on one's own machine, never in production. */
export function wantsDemo(settings: Settings): boolean {
  return settings.DEMO ?? (settings.NODE_ENV !== 'production' && !settings.DATABASE_URL);
}
