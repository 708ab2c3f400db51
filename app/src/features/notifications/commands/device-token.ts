// Registers and unregisters this device for push notifications.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { supabase } from '#/data/supabase.ts';
import { newUuid } from '#/core/uuid.ts';
import type { NativePlatform } from '#/platform/native.ts';
import type { Json } from '../../../../../shared/database.types.ts';

/** Returns an ID that stays the same as long as the app is installed. */
function deviceId(): string {
  const known = readLocal('device_id');
  if (known) return known;
  const made = newUuid();
  writeLocal('device_id', made);
  return made;
}

/** Registers the device for this user. A device belongs to the user who registered it last. @throws the server's error */
export async function saveDeviceToken(
  userId: string,
  platform: NativePlatform | 'web',
  token: string,
): Promise<void> {
  const client = await supabase();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { error } =
    platform === 'web'
      ? await client.rpc('subscribe_to_push', {
          p_subscription: JSON.parse(token) as Json,
          p_time_zone: timeZone,
        })
      : await client
          .from('device_tokens')
          .upsert(
            { user_id: userId, device_id: deviceId(), platform, token, time_zone: timeZone },
            { onConflict: 'device_id' },
          );
  if (error) throw error;
}

/** Unregisters the device while the session is still valid. @throws the server's error */
export async function cleanUpDeviceToken(): Promise<void> {
  const client = await supabase();
  const { error } = await client.rpc('api_cleanup_device_tokens', { p_device_id: deviceId() });
  if (error) throw error;
}
