// The query that shows a friend code.
import { queryOptions } from '@tanstack/react-query';
import { newUuid } from '#/core/uuid.ts';
import { requestJson } from '#/data/request.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

interface FriendCode {
  dog: string;
  /** The dog's photo as a data URL. */
  photo: string | null;
  /** The name of the code's creator; null before the login. */
  name: string | null;
}

/** Returns this device's random key for a code, which stays the same until another code is opened. */
export function deviceKey(secret: string): string {
  const [known, key] = readLocal('scannedCode')?.split(' ') ?? [];
  if (known === secret && key) return key;
  const made = newUuid().replaceAll('-', '');
  writeLocal('scannedCode', `${secret} ${made}`);
  return made;
}

/** The card of the code; null if this device cannot use the code. */
export const friendCodeQueryOptions = (secret: string, device: string, userId: string | null) =>
  queryOptions({
    queryKey: ['friend-code', secret, userId],
    queryFn: () =>
      requestJson<FriendCode | null>((client) =>
        client.rpc('scan_friend_code', { p_secret: secret, p_device: device }),
      ),
    gcTime: 0,
  });
