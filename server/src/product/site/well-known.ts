// Well-known files: association files for app links, the icon, and robots.txt.
import { json } from '#/host/lib/http.ts';
import type { Settings } from '#/product/settings.ts';

/**
 * Paths that the native apps open instead of the browser, as in Android's manifest. Pages linked from mails and providers are
 * excluded, because they pass on a code that may belong to this browser.
 */
const APP_PATHS = [
  '/parks/*',
  '/share/parks/*',
  '/profile/*',
  '/dog-invites/*',
  '/tag/*',
  '/meet/*',
];

/** Returns the response for a well-known path, or null. */
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
    // Browsers request it for pages without an icon, such as JSON.
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
