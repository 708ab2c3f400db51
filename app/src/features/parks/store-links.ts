// Where the native app is downloaded, and how a link opens it; which store by the device in hand.
export const STORES = {
  apple: 'https://apps.apple.com/search?term=packpark',
  google: 'https://play.google.com/store/apps/details?id=app.packpark',
} as const;

export type Store = keyof typeof STORES;

/**
 * The stores to offer: the device's own, or both where it is neither.
 * @param agent navigator.userAgent
 * @param touchPoints navigator.maxTouchPoints; iPads call themselves Macs, but Macs have no touch screen
 */
export function storesFor(agent: string, touchPoints: number): Store[] {
  if (/android/i.test(agent)) return ['google'];
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1))
    return ['apple'];
  return ['apple', 'google'];
}

/** The address that opens a park in the native app. */
export function appLink(parkId: number): string {
  return `packpark://parks/${String(parkId)}`;
}
