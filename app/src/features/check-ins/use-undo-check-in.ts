// Undoes a check-in.
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { clearUsualDogs } from '#/features/check-ins/usual-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { showError, showToast } from '#/ui/toast.ts';

/** The returned function also works after its component has been unmounted, because the visit's buttons then disappear. */
export function useUndoCheckIn(): (visit: { visitId: string; parkId: number }) => void {
  const t = useT();
  const checkOut = useCheckOut();
  return (visit) => {
    clearUsualDogs();
    void checkOut
      .mutateAsync({ ...visit, undo: true })
      .then(() => showToast(t('checkIns.undone')), showError);
  };
}
