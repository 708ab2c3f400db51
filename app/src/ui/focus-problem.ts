// Moves the focus to the first invalid field of a rejected form, so that its message is read aloud and visible.

/** Call it after the problems are set: it waits until they are rendered. Searches the topmost modal, or the page. */
export function focusFirstProblem(): void {
  setTimeout(() => {
    const form = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
