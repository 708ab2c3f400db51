// Waits until the browser has painted, so that a tap shows its effect before expensive work starts.

/** A page in the background never paints. */
const TIMEOUT_MS = 50;

export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, TIMEOUT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
