// The site that a native app belongs to: validates the setting and generates the files that the page, Gradle and Xcode read.

/**
 * The site of a debug build may be on the developer's machine, which a phone reaches through `adb reverse`, and a simulator
 * directly.
 */
const OWN_MACHINE = 'localhost';

/**
 * @param text value of PACKPARK_SITE_URL
 * @returns the site's origin
 * @throws Error with one sentence
 */
export function siteOf(text: string | undefined): URL {
  if (!text)
    throw new Error(
      'Say which site the app is for: PACKPARK_SITE_URL=https://park.example npm run native',
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url?.pathname === '/' && !url.search && !url.hash && !url.username;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === OWN_MACHINE);
  if (!url || !isOrigin || !isSafe)
    throw new Error(
      'PACKPARK_SITE_URL is an address such as https://park.example, without a path (http only for localhost).',
    );
  return url;
}

/**
 * Explains why a platform's build cannot receive push notifications, or returns null if it can.
 * @param there whether Firebase's configuration file exists
 * @param file path of that file below app/
 * @param project text of the Xcode project; null on Android, where the plug-in brings the package
 * @returns one sentence
 */
export function noPush(there: boolean, file: string, project: string | null): string | null {
  if (!there) return `app/${file} is not there.`;
  return project === null || project.includes('FirebaseMessaging')
    ? null
    : 'the package FirebaseMessaging is not in the Xcode project.';
}

/**
 * The generated files by path below app/.
 * @param push whether each platform's build can receive push notifications
 */
export const siteFiles = (
  site: URL,
  push: { android: boolean; ios: boolean },
): Record<string, string> => ({
  'dist/site.json': JSON.stringify({ siteUrl: site.origin, push }),
  'android/site.properties': `host=${site.hostname}\n`,
  'ios/site.xcconfig': `PACKPARK_SITE_HOST = ${site.hostname}\n`,
});
