// The host's settings: one entry per environment variable, read once at startup and passed down as a value.
import * as v from 'valibot';
import { SESSION_LIFETIME } from '#/host/lib/session-lifetime.ts';
import {
  optionalText,
  httpUrl,
  mailSender,
  wholeNumber,
  list,
  flag,
} from '#/host/lib/setting-types.ts';
import { StartError } from '#/host/lib/start-error.ts';

export const hostSettingsSchema = v.object({
  PORT: v.optional(wholeNumber(0, 65535), '3000'),
  HOST: v.optional(v.string(), 'localhost'),
  DATA_DIR: v.optional(v.string(), 'data'),
  DATABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
  ),
  /** The folder with `postgres` and `initdb` of the operator's PostgreSQL, which replaces the one from npm. */
  POSTGRES_BIN: optionalText,
  SITE_URL: v.optional(
    v.pipe(
      httpUrl,
      v.regex(
        /^[^/]*\/\/[^/?#]*\/?$/,
        'must not have a path, because a site needs a host name of its own',
      ),
    ),
  ),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'warn',
  ),
  NODE_ENV: v.optional(
    v.picklist(['development', 'production', 'test'], 'must be development, production or test'),
    'development',
  ),
  /** True if the operator's reverse proxy appends the client's IP to X-Forwarded-For. */
  TRUST_PROXY: v.optional(flag, 'false'),
  STALL_SECONDS: v.optional(wholeNumber(1, 3600), '120'),
  /**
   * The token for /metrics. If it is set, `Authorization: Bearer <token>` is accepted from anywhere. Otherwise only requests from
   * this machine are accepted, and on a public site none.
   */
  METRICS_TOKEN: optionalText,
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')),
  ),
  MAIL_FROM: v.optional(mailSender),
  /** The bucket for files. If it is set, files are stored there instead of in DATA_DIR, so several hosts can share them. */
  S3_ENDPOINT: v.optional(httpUrl),
  S3_BUCKET: optionalText,
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  AUTH_SIGNUP: v.optional(flag, 'true'),
  /** True if an email must be confirmed before the first login. By default true if SMTP_URL is set. */
  AUTH_CONFIRM_EMAIL: v.optional(flag),
  AUTH_PASSWORD_LENGTH: v.optional(wholeNumber(6, 64), '8'),
  /**
   * Maximum attempts of each type per IP in five minutes. For refreshes it is ten times as much. The same number limits mails per
   * hour.
   */
  AUTH_RATE_LIMIT: v.optional(wholeNumber(1, 1_000_000), '150'),
  AUTH_MAIL_INTERVAL: v.optional(wholeNumber(0, 3600), '60'),
  /** The email addresses or @domains that may have an account; by default all. */
  AUTH_EMAILS_ALLOWED: v.optional(list),
  /** URLs to which links may redirect, in addition to SITE_URL. * matches anything but a dot or slash, ** anything. */
  ADDITIONAL_REDIRECT_URLS: v.optional(list, ''),
  CAPTCHA_PROVIDER: v.optional(
    v.picklist(['hcaptcha', 'turnstile'], 'must be hcaptcha or turnstile'),
  ),
  /** The public key that the app needs to show the captcha. */
  CAPTCHA_SITE_KEY: optionalText,
  CAPTCHA_SECRET: optionalText,
  /** The URL that verifies captcha tokens; defaults to the provider's own. */
  CAPTCHA_URL: v.optional(httpUrl),
  /** Client IDs at Google: the web client first, then those of the native apps. */
  GOOGLE_CLIENT_ID: v.optional(list),
  /** The web client's secret. Without it, only ID tokens of the native apps are accepted. */
  GOOGLE_CLIENT_SECRET: optionalText,
  GOOGLE_ISSUER: v.optional(httpUrl, 'https://accounts.google.com'),
  /** Client IDs at Apple: the services ID first, then the bundle IDs of the native apps. */
  APPLE_CLIENT_ID: v.optional(list),
  /** The key that signs Apple's client secrets. Without it, only ID tokens of the native apps are accepted. */
  APPLE_TEAM_ID: optionalText,
  APPLE_KEY_ID: optionalText,
  /** The content of the key file (PKCS 8, ES256). Line ends may be written as \\n. */
  APPLE_PRIVATE_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replaceAll('\\n', '\n').trim()),
      v.regex(/^-----BEGIN PRIVATE KEY-----/, 'must be a PKCS 8 private key in PEM'),
    ),
  ),
  APPLE_ISSUER: v.optional(httpUrl, 'https://appleid.apple.com'),
  /**
   * The webhook that sends text messages for phone factors (GoTrue's send-SMS hook). Without it, phone factors are not available.
   */
  SMS_WEBHOOK_URL: v.optional(httpUrl),
  /** The key that signs requests to the webhook (Standard Webhooks): `v1,whsec_` followed by base64. */
  SMS_WEBHOOK_SECRET: v.optional(
    v.pipe(v.string(), v.regex(/^v1,whsec_[\w+/=-]+$/, 'must look like v1,whsec_<base64>')),
  ),
  ...SESSION_LIFETIME,
});

/** For some settings, the other settings that they require. */
export const HOST_NEEDS: Record<string, string[]> = {
  S3_BUCKET: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  S3_ENDPOINT: ['S3_BUCKET'],
  S3_ACCESS_KEY_ID: ['S3_BUCKET'],
  S3_SECRET_ACCESS_KEY: ['S3_BUCKET'],
  CAPTCHA_PROVIDER: ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET'],
  CAPTCHA_SITE_KEY: ['CAPTCHA_PROVIDER'],
  CAPTCHA_SECRET: ['CAPTCHA_PROVIDER'],
  GOOGLE_CLIENT_SECRET: ['GOOGLE_CLIENT_ID'],
  APPLE_TEAM_ID: ['APPLE_CLIENT_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  APPLE_KEY_ID: ['APPLE_TEAM_ID'],
  APPLE_PRIVATE_KEY: ['APPLE_TEAM_ID'],
  SMS_WEBHOOK_SECRET: ['SMS_WEBHOOK_URL'],
};

export type Settings = v.InferOutput<typeof hostSettingsSchema>;

/** An invalid setting. The message names the variable. */
export class SettingsError extends StartError {}

/**
 * Parses settings from environment variables; empty values count as unset.
 * @param needs for some settings, the other settings that they require
 * @throws SettingsError with the name of the first invalid or missing variable
 */
export function parseSettings<const Entries extends v.ObjectEntries>(
  schema: v.ObjectSchema<Entries, undefined>,
  environment: Record<string, string | undefined>,
  needs = HOST_NEEDS,
): v.InferOutput<typeof schema> {
  const given = Object.fromEntries(
    Object.keys(schema.entries)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  for (const [name, needed] of Object.entries(needs)) {
    const missing = name in given && needed.find((other) => !(other in given));
    if (missing)
      throw new SettingsError(`The setting ${name} is not enough: ${missing} must be set as well.`);
  }
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const issue = result.issues[0];
  throw new SettingsError(
    `The setting ${String(issue.path?.[0].key)} is wrong: it ${issue.message}.`,
  );
}
