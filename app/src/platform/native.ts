// Detects the native apps by their bridge, so the web loads no plug-in.
export type NativePlatform = 'android' | 'ios';

interface Shell {
  androidBridge?: unknown;
  webkit?: { messageHandlers?: { bridge?: unknown } };
}

/** Returns null in a browser. */
export function nativePlatform(): NativePlatform | null {
  const { androidBridge, webkit } = globalThis as Shell;
  if (androidBridge) return 'android';
  return webkit?.messageHandlers?.bridge ? 'ios' : null;
}
