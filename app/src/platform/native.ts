// Whether the page runs in one of our shells: told by what the shell puts into the page, so the web loads nothing for it.
export type NativePlatform = 'android' | 'ios';

interface Shell {
  androidBridge?: unknown;
  webkit?: { messageHandlers?: { bridge?: unknown } };
}

/** Null in a browser. */
export function nativePlatform(): NativePlatform | null {
  const { androidBridge, webkit } = globalThis as Shell;
  if (androidBridge) return 'android';
  return webkit?.messageHandlers?.bridge ? 'ios' : null;
}
