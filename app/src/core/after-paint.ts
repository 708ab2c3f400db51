// Waits until the browser has painted, so the effect of a tap is visible before expensive work starts.

/** Timeout for hidden pages, which never paint. */
const TIMEOUT_MS = 50;

export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, TIMEOUT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
