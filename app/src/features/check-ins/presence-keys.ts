// What is stale once somebody came or went: exactly the answers that count people.
import { parkKeys } from '#/data/park-keys.ts';

export const presenceKeys = (parkId: number) =>
  [parkKeys.status(parkId), parkKeys.live, parkKeys.myCheckIn] as const;
