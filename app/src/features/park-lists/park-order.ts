// The order of nearby parks that the user chose last. The list of all parks initially uses it, too.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const PARK_ORDERS = ['best', 'distance', 'rank'] as const;
export type ParkOrder = (typeof PARK_ORDERS)[number];

export function usedOrder(): ParkOrder {
  const stored = readLocal('parkOrder');
  return PARK_ORDERS.find((order) => order === stored) ?? 'best';
}

export const rememberOrder = (order: ParkOrder): void => writeLocal('parkOrder', order);
