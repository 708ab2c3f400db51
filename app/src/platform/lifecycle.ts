// App and device lifecycle: resume, pause and rotation.
import { nativePlatform } from '#/platform/native.ts';

type Callback = () => void;

/** The page and the native app may both report a resume; within this time they count as one. */
const SAME_RESUME_MS = 1000;

export function onHide(callback: Callback): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') callback();
  });
  window.addEventListener('pagehide', callback);
}

/** Calls back when the page becomes visible, is restored from the back-forward cache, or its native app resumes. */
export function onResume(listener: Callback): () => void {
  const stop = new AbortController();
  let last = -SAME_RESUME_MS;
  const callback = () => {
    const now = performance.now();
    if (now - last < SAME_RESUME_MS) return;
    last = now;
    listener();
  };
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') callback();
    },
    { signal: stop.signal },
  );
  if (nativePlatform()) void onAppResume(callback, stop.signal);
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) callback();
    },
    { signal: stop.signal },
  );
  return () => stop.abort();
}

async function onAppResume(callback: Callback, stopped: AbortSignal): Promise<void> {
  const { App } = await import('@capacitor/app');
  const handle = await App.addListener('resume', callback);
  if (stopped.aborted) await handle.remove();
  else stopped.addEventListener('abort', () => void handle.remove());
}

export function onOrientation(callback: Callback): () => void {
  const stop = new AbortController();
  screen.orientation?.addEventListener('change', callback, { signal: stop.signal });
  return () => stop.abort();
}
