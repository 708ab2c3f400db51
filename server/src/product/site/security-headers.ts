// Security headers, which restrict what pages of the site may load and do.
import { createHash } from 'node:crypto';
import { tileUrl, type Settings } from '#/product/settings.ts';

const INLINE = /<script(?![^>]*\s(?:src=|type="application\/json"))[^>]*>([\s\S]*?)<\/script>/g;

/** Returns the CSP sources for the inline scripts of a page: one hash each. */
const inlineScriptHashes = (html: string): string[] =>
  [...html.matchAll(INLINE)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );

/** Returns the origin of a URL template, in whose host `{s}` stands for any subdomain. */
function originOf(address: string): string {
  const { protocol, host } = new URL(address.replace('{s}', 'wildcard'));
  return `${protocol}//${host.replace(/^wildcard\b/, '*')}`;
}

/** The origins from which a captcha loads its script and frame. */
const CAPTCHA_SOURCES = {
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
  turnstile: 'https://challenges.cloudflare.com',
};

/**
 * Returns the headers of every page and asset.
 * @param origin the origin of this request, such as https://park.example
 * @param html a page whose inline scripts may run
 */
export function securityHeaders(
  settings: Settings,
  origin: string,
  html: string,
): Record<string, string> {
  const tiles = originOf(tileUrl(settings));
  const ours = [origin, origin.replace(/^http/, 'ws')].join(' ');
  const captcha = settings.CAPTCHA_PROVIDER ? ` ${CAPTCHA_SOURCES[settings.CAPTCHA_PROVIDER]}` : '';
  const policy = [
    `default-src 'self'`,
    `script-src ${["'self'", ...inlineScriptHashes(html)].join(' ')}${captcha}`,
    `style-src 'self'${captcha}`,
    `img-src 'self' ${origin} ${tiles} data: blob:`,
    `font-src 'self'`,
    `connect-src 'self' ${ours} ${tiles}${captcha}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `frame-src${captcha || " 'none'"}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    ...(origin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy':
      'geolocation=(self), camera=(self), microphone=(), payment=(), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'x-frame-options': 'DENY',
    ...(origin.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}
