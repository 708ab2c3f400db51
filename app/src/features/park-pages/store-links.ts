// Where the native app is downloaded, as the host says, and how a link opens it; which store by the device in hand.
import type { Config } from '#/platform/config-type.ts';

export type Store = keyof NonNullable<Config['stores']>;

/**
 * The stores to offer, with their addresses: the device's own, or both where it is neither; none without an address.
 * @param agent navigator.userAgent
 * @param touchPoints navigator.maxTouchPoints; iPads call themselves Macs, but Macs have no touch screen
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

/** The address that opens a park in the native app. */
export const appLink = (parkId: number): string => `packpark://parks/${String(parkId)}`;
