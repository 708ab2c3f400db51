// Deletes the account: sets a local flag, calls the function, signs out and clears cached data. The flag is set first, because it
// makes the route guards redirect to the account-deleted screen when the session ends.
import { toAppError } from '#/i18n/errors.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { clearDiary } from '#/entities/diary/diary.ts';
import { clearPersonalData, signOut } from '#/data/session/session.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} reauthentication_needed, or if the request fails; `userDeleted` is then removed and the account remains */
export async function deleteAccount(userId: string): Promise<void> {
  writeLocal('userDeleted', 'true');
  try {
    const client = await supabase();
    // Refresh first, because the function reads the time of the last login or password check from the token.
    await client.auth.refreshSession();
    const { error, response } = await client.functions.invoke('delete-user', {
      body: { id: userId },
    });
    const body: unknown = await response?.json().catch(() => null);
    if (error) throw body ? Object.assign(error, body) : error;
  } catch (error) {
    writeLocal('userDeleted', null);
    throw toAppError(error);
  }
  await signOut();
  writeLocal('accountAppearance', null);
  await clearDiary(userId, true);
  clearPersonalData();
}
