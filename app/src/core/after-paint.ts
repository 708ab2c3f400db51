// The moment after the browser has drawn what it has: work that begins then lets a finger see that its tap was taken.

/** A page in the background draws nothing, and is not waited for longer. */
const LATEST_MS = 50;

export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, LATEST_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
