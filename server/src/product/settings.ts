// All settings: those of the host and those of Packpark.
import * as v from 'valibot';
import {
  emailAddressOf,
  optionalText,
  httpUrl,
  wholeNumber,
  flag,
  list,
} from '#/host/lib/setting-types.ts';
import { LANGUAGE_CODES } from '../../../shared/languages.ts';
import { isOwnMachine } from '#/host/gateway/exposure.ts';
import {
  HOST_NEEDS,
  hostSettingsSchema,
  parseSettings,
  SettingsError,
} from '#/host/lib/host-settings.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Telephone numbers in Israel that the app shows when poison is found. */
const ISRAEL = { poison: '04-7771900', city: '106', police: '100' };

/** @param message describes a valid value */
const ofForm = (form: RegExp, message: string) => v.pipe(v.string(), v.regex(form, message));

const email = v.optional(v.pipe(v.string(), v.email('must be an email address')));

/** One entry for each environment variable; docs/settings.md explains them. */
export const settingsSchema = v.object({
  ...hostSettingsSchema.entries,
  /**
   * The parks' time zone, which cannot change once there are visits. If TIME_ZONE, WEEKEND, HOUR_CYCLE or MINIMUM_AGE is not set,
   * the value in private.site_settings applies.
   */
  TIME_ZONE: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone such as Europe/Vienna')),
  ),
  WEEKEND: v.optional(
    v.pipe(
      list,
      v.check(
        (days) => days.every((day) => DAYS.includes(day)),
        'must be days such as saturday,sunday',
      ),
      v.transform((days) => days.map((day) => DAYS.indexOf(day))),
    ),
  ),
  FIRST_DAY: v.optional(
    v.pipe(
      v.picklist(DAYS, 'must be a day such as monday'),
      v.transform((day) => DAYS.indexOf(day)),
    ),
    'sunday',
  ),
  HOUR_CYCLE: v.optional(v.pipe(v.picklist(['12', '24'], 'must be 12 or 24'), v.transform(Number))),
  UNITS: v.optional(v.picklist(['metric', 'imperial'], 'must be metric or imperial'), 'metric'),
  /** Languages of the site. The first one is the fallback. */
  LANGUAGES: v.optional(
    v.pipe(
      list,
      v.array(v.picklist(LANGUAGE_CODES, `must be some of ${LANGUAGE_CODES.join(',')}`)),
      v.minLength(1, `must be some of ${LANGUAGE_CODES.join(',')}`),
    ),
    LANGUAGE_CODES.join(),
  ),
  /** Minimum age of users. If it is raised, all users must confirm their age again. */
  MINIMUM_AGE: v.optional(wholeNumber(13, 21)),
  /** Where the map starts without a location. By default, the imported park with the most parks around it. */
  START_PLACE: v.optional(
    v.pipe(
      ofForm(
        /^-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?$/,
        'must be a latitude and a longitude such as 47.8,13.04',
      ),
      v.transform((text) => text.split(',').map(Number)),
      v.check(
        ([lat = 90, long = 180]) => Math.abs(lat) < 90 && Math.abs(long) <= 180,
        'must be a place on the earth',
      ),
      v.transform(([lat = 0, long = 0]) => ({ lat, long })),
    ),
  ),
  /** Countries for address search. The format of dates and numbers follows the first one. */
  ADDRESS_COUNTRY: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replaceAll(' ', '')),
      v.regex(/^[a-z]{2}(,[a-z]{2})*$/, 'must be countries such as at or at,de'),
    ),
    'il',
  ),
  /** Number of daily backups to keep. If it is not set, the host makes none. */
  BACKUP_KEEP: v.optional(wholeNumber(1, 1000)),
  /** True to copy backups to the bucket of S3_BUCKET too. */
  BACKUP_S3: v.optional(flag, 'false'),
  /** True if administrators may download backups in the browser, encrypted with a passphrase. */
  BACKUP_DOWNLOAD: v.optional(flag, 'false'),
  /**
   * URL that returns the newest version, as text or as JSON with `version` or `tag_name`. If it is not set, the host does not check
   * for new versions.
   */
  RELEASE_URL: v.optional(httpUrl),
  /** True to add the demo parks and users to an empty database. Allowed only if no other machine can reach the host. */
  DEMO: v.optional(flag),
  TILE_URL: v.optional(httpUrl),
  TILE_ATTRIBUTION: v.optional(
    v.string(),
    '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap contributors</a>',
  ),
  /** True if devices may cache tiles; some tile providers forbid it. */
  TILE_KEEP: v.optional(flag, 'true'),
  /** A PMTiles file that replaces TILE_URL: its name in DATA_DIR or in the bucket, or an absolute path. */
  MAP_FILE: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(/\.pmtiles$/, 'must name a .pmtiles file'),
      v.check(
        (name) => !name.split('/').includes('..') && !name.includes('://'),
        'must be a name in DATA_DIR or in the bucket, or an absolute path',
      ),
    ),
  ),
  MAP_ATTRIBUTION: v.optional(
    v.string(),
    '<a href="https://protomaps.com">Protomaps</a> © <a href="https://www.openstreetmap.org/copyright">OpenStreetMap contributors</a>',
  ),
  GEOCODER_URL: v.optional(httpUrl, 'https://nominatim.openstreetmap.org'),
  GEOCODER_AUTOCOMPLETE: v.optional(flag, 'false'),
  WEATHER_URL: v.optional(httpUrl, 'https://api.open-meteo.com'),
  /** Maximum calls per day for the whole site. The default is the limit of Open-Meteo's free service. */
  WEATHER_PER_DAY: v.optional(wholeNumber(1, 1_000_000_000), '10000'),
  /** Maximum calls per second for the whole site. The public Nominatim allows one. */
  GEOCODER_PER_SECOND: v.optional(wholeNumber(1, 1000), '1'),
  ROUTER_URL: v.optional(httpUrl),
  /** JSON of the service account that sends pushes to native apps. If it is not set, none are sent. */
  FCM_SERVICE_ACCOUNT: v.optional(ofForm(/^\s*\{/, 'must be the JSON of a service account')),
  FCM_URL: v.optional(httpUrl, 'https://fcm.googleapis.com'),
  /** Private JWK that signs web pushes; by default the file in the data folder. */
  VAPID_KEY: v.optional(ofForm(/^\s*\{.*"d"/, 'must be a private key as a JWK')),
  /** For tests: replaces the browsers' push services. */
  WEB_PUSH_URL: v.optional(httpUrl),
  /** Email address of the operator on the info pages. Use `contactAddress` to read it. */
  CONTACT_EMAIL: email,
  /** Email addresses for questions about personal data and accessibility. */
  PRIVACY_EMAIL: email,
  ACCESSIBILITY_EMAIL: email,
  /** The operator's name and address, for the imprint on the info pages. */
  OPERATOR: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(
        /^[^,]{2,}(,[^,]{2,})+$/,
        'must be a name and an address: Dogs of Salzburg, Hofgasse 1, 5020 Salzburg',
      ),
      v.maxLength(300),
    ),
  ),
  /** JSON file that replaces our info pages: its name in DATA_DIR or an absolute path. */
  SITE_TEXTS: optionalText,
  /** Telephone numbers to call when poison is found. By default those of Israel, if ADDRESS_COUNTRY contains Israel. */
  EMERGENCY_PHONES: v.optional(
    v.pipe(
      list,
      v.everyItem(
        (one) => /^(poison|city|police)\s*=\s*[0-9+*#-][0-9+*# -]{1,19}$/.test(one),
        'must be numbers such as poison=04-7771900,city=106,police=100',
      ),
      v.transform((all) =>
        Object.fromEntries(all.map((one) => one.split(/\s*=\s*/) as [string, string])),
      ),
    ),
  ),
  /**
   * The native apps that may open the site's links: the Android package and the SHA-256 of its certificate, and on iOS
   * `TEAMID.bundle`.
   */
  ANDROID_PACKAGE: v.optional(v.string(), 'app.packpark'),
  ANDROID_CERT_SHA256: optionalText,
  APPLE_APP_ID: optionalText,
  /** Download pages of the native apps. If they are not set, the app does not offer them. */
  APP_STORE_URL: v.optional(httpUrl),
  PLAY_STORE_URL: v.optional(httpUrl),
});

const NEEDS = { ...HOST_NEEDS, BACKUP_S3: ['S3_BUCKET'] };

/** Names of settings that come from the operator's file instead of the environment. */
export const fromFile = new Set<string>();

export type Settings = v.InferOutput<typeof settingsSchema>;

/**
 * Reads the settings from an environment. Empty values count as unset.
 * @throws SettingsError naming the first invalid variable
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const settings = parseSettings(settingsSchema, environment, NEEDS);
  if (settings.ADDRESS_COUNTRY.split(',').includes('il')) settings.EMERGENCY_PHONES ??= ISRAEL;
  if (settings.DEMO && !isOwnMachine(settings))
    throw new SettingsError(
      'The setting DEMO is wrong: it must not be true if other machines can reach the host (NODE_ENV, SITE_URL, HOST, TRUST_PROXY), because the demo users have public passwords.',
    );
  return settings;
}

/**
 * Returns the operator's email address: CONTACT_EMAIL, otherwise the sender of the mails.
 * @returns null if neither can receive mails
 */
export function contactAddress({ CONTACT_EMAIL, MAIL_FROM = '' }: Settings): string | null {
  const sender = emailAddressOf(MAIL_FROM);
  const canReply = sender !== '' && !/^(no|do-?not)[-_.]?reply/i.test(sender);
  return CONTACT_EMAIL ?? (canReply ? sender : null);
}

export const tileUrl = ({ TILE_URL }: Settings): string =>
  TILE_URL ?? 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

/** Returns true if an empty database gets the demo; by default only if no other machine can reach the host. */
export const wantsDemo = (settings: Settings): boolean =>
  settings.DEMO ?? (isOwnMachine(settings) && !settings.DATABASE_URL);
