// Well-known files: association files for app links, the contact for security researchers, the icon, and robots.txt.
import { json } from '#/host/lib/http.ts';
import { contactAddress, type Settings } from '#/product/settings.ts';
import { DAY_MS } from '../../../../shared/durations.ts';

/**
 * Paths that open in the native apps instead of the browser, as in the Android manifest. Pages that mails and login providers link
 * to are excluded, because their URL contains a code that only works in the browser that requested it.
 */
const APP_PATHS = [
  '/parks/*',
  '/share/parks/*',
  '/profile/*',
  '/dog-invites/*',
  '/tag/*',
  '/meet/*',
];

export function wellKnown(pathname: string, settings: Settings): Response | null {
  switch (pathname) {
    case '/.well-known/assetlinks.json': {
      const prints = settings.ANDROID_CERT_SHA256?.split(',').map((print) => print.trim());
      if (!prints) return json([]);
      return json([
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: {
            namespace: 'android_app',
            package_name: settings.ANDROID_PACKAGE,
            sha256_cert_fingerprints: prints,
          },
        },
      ]);
    }
    case '/.well-known/apple-app-site-association': {
      const details = settings.APPLE_APP_ID
        ? [
            {
              appIDs: [settings.APPLE_APP_ID],
              components: APP_PATHS.map((path) => ({ '/': path })),
            },
          ]
        : [];
      return json({ applinks: { details } });
    }
    case '/.well-known/security.txt': {
      const contact = contactAddress(settings);
      return contact === null ? null : securityText(contact, settings);
    }
    // Browsers request this file for responses without an icon, such as JSON.
    case '/favicon.ico':
      return new Response(null, {
        status: 308,
        headers: { location: '/icon.svg', 'cache-control': 'public, max-age=86400' },
      });
    case '/robots.txt':
      return new Response(
        [
          'User-agent: *',
          'Disallow: /profile/',
          'Disallow: /notifications',
          'Disallow: /rest/',
          'Disallow: /auth/',
          '',
        ].join('\n'),
        { headers: { 'content-type': 'text/plain; charset=utf-8' } },
      );
    default:
      return null;
  }
}

/** RFC 9116 requires an expiry date. It is computed from the current date, because the contact is valid while the host runs. */
const EXPIRES_AFTER_DAYS = 90;

function securityText(contact: string, { SITE_URL, LANGUAGES }: Settings): Response {
  const day = Math.floor(Date.now() / DAY_MS) + EXPIRES_AFTER_DAYS;
  const fields = [
    `Contact: mailto:${contact}`,
    `Expires: ${new Date(day * DAY_MS).toISOString()}`,
    `Preferred-Languages: ${LANGUAGES.join(', ')}`,
    ...(SITE_URL ? [`Canonical: ${new URL('/.well-known/security.txt', SITE_URL).href}`] : []),
  ];
  return new Response(`${fields.join('\n')}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}
