// Which site a wrapped app belongs to: the setting checked, and the files that tell the page, Gradle and Xcode.

/** A debug build reaches a host on the developer's machine through `adb reverse`, or from the simulator. */
const OWN_MACHINE = 'localhost';

/** `text`: PACKPARK_SITE_URL. Returns the site's origin. Throws one sentence. */
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
 * Why a platform's build will have no push, for want of tokens that the host can send to; null where it will have it.
 * @param there whether Firebase's file is in its place
 * @param file that file, below app/
 * @param project the text of the Xcode project; null on Android, where the plug-in brings the package
 * @returns one sentence
 */
export function noPush(there: boolean, file: string, project: string | null): string | null {
  if (!there) return `app/${file} is not there.`;
  return project === null || project.includes('FirebaseMessaging')
    ? null
    : 'the package FirebaseMessaging is not in the Xcode project.';
}

/** `push`: whether each platform's build can receive pushes. Returns texts by file, below app/. */
export const siteFiles = (
  site: URL,
  push: { android: boolean; ios: boolean },
): Record<string, string> => ({
  'dist/site.json': JSON.stringify({ siteUrl: site.origin, push }),
  'android/site.properties': `host=${site.hostname}\n`,
  'ios/site.xcconfig': `PACKPARK_SITE_HOST = ${site.hostname}\n`,
});
