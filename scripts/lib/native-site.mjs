// Which site a wrapped app belongs to: the setting checked, and the files that tell the page, Gradle and Xcode.

/** A debug build reaches a host on the developer's machine through `adb reverse`, or from the simulator. */
const OWN_MACHINE = 'localhost';

/**
 * @param {string | undefined} text PACKPARK_SITE_URL
 * @returns {URL} the site's origin
 * @throws {Error} one sentence
 */
export function siteOf(text) {
  if (!text)
    throw new Error(
      'Say which site the app is for: PACKPARK_SITE_URL=https://park.example npm run native',
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url?.pathname === '/' && !url.search && !url.hash && !url.username;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === OWN_MACHINE);
  if (!isOrigin || !isSafe)
    throw new Error(
      'PACKPARK_SITE_URL is an address such as https://park.example, without a path (http only for localhost).',
    );
  return url;
}

/**
 * Why a platform's build will have no push, for want of tokens that the host can send to; null where it will have it.
 * @param {boolean} there whether Firebase's file is in its place
 * @param {string} file that file, below app/
 * @param {string | null} project the text of the Xcode project; null on Android, where the plug-in brings the package
 * @returns {string | null} one sentence
 */
export function noPush(there, file, project) {
  if (!there) return `app/${file} is not there.`;
  return project === null || project.includes('FirebaseMessaging')
    ? null
    : 'the package FirebaseMessaging is not in the Xcode project.';
}

/**
 * @param {URL} site
 * @param {{ android: boolean, ios: boolean }} push whether each platform's build can receive pushes
 * @returns {Record<string, string>} texts by file, below app/
 */
export function siteFiles(site, push) {
  return {
    'dist/site.json': JSON.stringify({ siteUrl: site.origin, push }),
    'android/site.properties': `host=${site.hostname}\n`,
    'ios/site.xcconfig': `PACKPARK_SITE_HOST = ${site.hostname}\n`,
  };
}
