// A short answer that the hand can feel. Only in the shells; elsewhere nothing happens.
import { nativePlatform } from '#/platform/native.ts';

/** Something succeeded, such as a check-in. Never throws, nothing waits for it. */
export function feelSuccess(): void {
  if (!nativePlatform()) return;
  void import('@capacitor/haptics')
    .then(({ Haptics, NotificationType }) =>
      Haptics.notification({ type: NotificationType.Success }),
    )
    .catch((error: unknown) => console.warn('No haptics:', error));
}
