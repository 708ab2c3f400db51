// Haptic feedback; native apps only.
import { nativePlatform } from '#/platform/native.ts';

/** For a success such as a check-in. Fire and forget; never throws. */
export function feelSuccess(): void {
  if (!nativePlatform()) return;
  void import('@capacitor/haptics')
    .then(({ Haptics, NotificationType }) =>
      Haptics.notification({ type: NotificationType.Success }),
    )
    .catch((error: unknown) => console.warn('No haptics:', error));
}
