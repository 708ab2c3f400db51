// Takes a visit back that has just begun, as if it had not been.
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { useT } from '#/i18n/i18n.ts';
import { showError, showToast } from '#/ui/toast.ts';

/** Also for what outlives its component, such as a toast. */
export function useUndo(): (visit: { visitId: string; parkId: number }) => void {
  const t = useT();
  const checkOut = useCheckOut();
  return (visit) =>
    void checkOut
      .mutateAsync({ ...visit, undo: true })
      .then(() => showToast(t('checkIns.undone')), showError);
}
