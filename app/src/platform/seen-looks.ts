// The account's theme and language when last fetched. The next start needs them before the account is fetched.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export interface Looks {
  id: string;
  theme: 'light' | 'dark' | null;
  language: string;
}

export const seenLooks = (): Looks | null =>
  JSON.parse(readLocal('seenLooks') ?? 'null') as Looks | null;

export const saveSeenLooks = (looks: Looks): void => writeLocal('seenLooks', JSON.stringify(looks));
