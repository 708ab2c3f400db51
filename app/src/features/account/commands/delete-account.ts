// Deletes the account: local flag, the function, sign out, forget. The flag comes first: wherever the sign-out then leads, it leads to the account-deleted screen.
import { toAppError } from '#/i18n/errors.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { clearDiary } from '#/entities/diary/diary.ts';
import { clearPersonalData, signOut } from '#/data/session/session.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} reauthentication_needed, or when the server refuses or cannot be reached; the flag is then gone and the account stays */
export async function deleteAccount(userId: string): Promise<void> {
  writeLocal('userDeleted', 'true');
  try {
    const client = await supabase();
    // When the person logged in, or gave the password again, stands in the token.
    await client.auth.refreshSession();
    const { error, response } = await client.functions.invoke('delete-user', {
      body: { id: userId },
    });
    const said: unknown = await response?.json().catch(() => null);
    if (error) throw said ? Object.assign(error, said) : error;
  } catch (error) {
    writeLocal('userDeleted', null);
    throw toAppError(error);
  }
  await signOut();
  writeLocal('seenLooks', null);
  await clearDiary(userId, true);
  clearPersonalData();
}
