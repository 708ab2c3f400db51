// Moves the focus to the first invalid field of a rejected form, so that its message is read aloud and visible.

/** Call it after the problems are set: it waits until they are rendered. Searches the topmost modal, or the page. */
export function focusFirstProblem(): void {
  const focus = () => {
    const form = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    return field !== null;
  };
  setTimeout(() => {
    if (focus()) return;
    // React renders the problems later if they are set after a response and not in an event handler.
    new MutationObserver((_, observer) => {
      observer.disconnect();
      focus();
    }).observe(document.body, { subtree: true, attributeFilter: ['aria-invalid'] });
  });
}
