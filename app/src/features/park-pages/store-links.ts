// Download URLs of the native app for the user's device, and links that open the app.
import type { Config } from '#/platform/config-type.ts';

export type Store = keyof NonNullable<Config['stores']>;

/**
 * Returns the store for the device, or both stores if it is neither Android nor iOS. Stores without a URL are omitted.
 * @param touchPoints navigator.maxTouchPoints; iPads identify as Macs, but Macs have no touch screen
 */
export const storesFor = (
  { stores }: Pick<Config, 'stores'>,
  agent: string,
  touchPoints: number,
): { store: Store; url: string }[] =>
  storesOf(agent, touchPoints).flatMap((store) => {
    const url = stores?.[store] ?? null;
    return url === null ? [] : [{ store, url }];
  });

function storesOf(agent: string, touchPoints: number): Store[] {
  if (/android/i.test(agent)) return ['google'];
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1))
    return ['apple'];
  return ['apple', 'google'];
}

/** URL that opens a park in the native app. */
export const appLink = (parkId: number): string => `packpark://parks/${String(parkId)}`;
