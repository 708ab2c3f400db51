// Derives a device name such as 'Chrome · Android' from the user agent.

/** The first match wins, because Edge and Samsung's browser also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/; wv\)/, 'Packpark'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  // An iPhone web view without a browser's name is our native app.
  [/\biP(hone|ad|od)\b.*\bAppleWebKit\//, 'Packpark'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPad\b/, 'iPad'],
  [/\biP(hone|od)\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (list: readonly [RegExp, string][], agent: string) =>
  list.find(([pattern]) => pattern.test(agent))?.[1];

/** Returns null if the device is unknown. Not translated, because brands have the same name in every language. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const parts = [first(BROWSERS, userAgent), first(SYSTEMS, userAgent)].filter(
    (part) => part !== undefined,
  );
  return parts.length > 0 ? parts.join(' · ') : null;
}
