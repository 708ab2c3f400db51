// When the app comes back to the front, and when the device is turned.
type Callback = () => void;

/** The page becomes visible again, or comes out of the back-forward cache. */
export function onResume(callback: Callback): () => void {
  const stop = new AbortController();
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') callback();
    },
    { signal: stop.signal },
  );
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) callback();
    },
    { signal: stop.signal },
  );
  return () => stop.abort();
}

/** The device is turned between upright and lying. */
export function onOrientation(callback: Callback): () => void {
  const stop = new AbortController();
  screen.orientation?.addEventListener('change', callback, { signal: stop.signal });
  return () => stop.abort();
}
