// Ignores the second click of a double click that closed something: it would press what was below, such as the navbar.

/** As long as systems wait for a second click, ms. */
const DOUBLE_CLICK_MS = 500;

/** Call it when something closes: until a double click is over, its second click does nothing. */
export function swallowSecondClick(): void {
  const swallow = (event: MouseEvent) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const signal = AbortSignal.timeout(DOUBLE_CLICK_MS);
  document.addEventListener('click', swallow, { capture: true, signal });
}
