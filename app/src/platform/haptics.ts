// Haptic feedback, which only native apps have.
import { nativePlatform } from '#/platform/native.ts';

/** Gives feedback for a success such as a check-in. Never throws, and callers need not await it. */
export function feelSuccess(): void {
  if (!nativePlatform()) return;
  void import('@capacitor/haptics')
    .then(({ Haptics, NotificationType }) =>
      Haptics.notification({ type: NotificationType.Success }),
    )
    .catch((error: unknown) => console.warn('No haptics:', error));
}
