// Takes back the last command of a kind that is held for its undo (`undoMs` of its definition), or says that it is too late.
import { translate } from '#/i18n/i18n.ts';
import { showProblem } from '#/ui/toast.ts';

export async function undoCommand(name: string): Promise<void> {
  const { undoHeld } = await import('#/offline/command-queue/queue.ts');
  if (!(await undoHeld(name))) showProblem(translate('errors.too_late_to_undo'));
}
