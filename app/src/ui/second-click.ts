// Ignores the second click of a double click that closed something, because it would press what is below, such as the navbar.

/** The double-click interval of operating systems. */
const DOUBLE_CLICK_MS = 500;

/** Call this when an element under the pointer closes. */
export function ignoreSecondClick(): void {
  const swallow = (event: MouseEvent) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const signal = AbortSignal.timeout(DOUBLE_CLICK_MS);
  document.addEventListener('click', swallow, { capture: true, signal });
}
