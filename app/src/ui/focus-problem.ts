// Moves the focus to the first invalid field of a refused form, so that its message is read aloud and seen.

/** Call it after the problems are set; it waits until they are on the screen. Looks in the topmost modal, else in the page. */
export function focusFirstProblem(): void {
  setTimeout(() => {
    const form = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
