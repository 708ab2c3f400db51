// The account's theme and language when last fetched. The next start needs them before the account is fetched.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

interface AccountAppearance {
  id: string;
  theme: 'light' | 'dark' | null;
  language: string;
}

export const storedAccountAppearance = (): AccountAppearance | null =>
  JSON.parse(readLocal('accountAppearance') ?? 'null') as AccountAppearance | null;

export const saveAccountAppearance = (appearance: AccountAppearance): void =>
  writeLocal('accountAppearance', JSON.stringify(appearance));
