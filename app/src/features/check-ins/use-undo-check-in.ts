// The toast that offers to undo a check-in.
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { UNDO_OFFERED_MS } from '#/features/check-ins/check-in-limits.ts';
import { clearUsualDogs } from '#/features/check-ins/usual-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { showError, showToast } from '#/ui/toast.ts';

export const undoToastId = (visitId: string): string => `undo ${visitId}`;

export const offerUndo = (
  visitId: string,
  text: string,
  action: { label: string; onSelect: () => void },
) => showToast(text, { id: undoToastId(visitId), action, lasts: UNDO_OFFERED_MS });

/** The returned function also works after its component has been unmounted, because a toast may call it later. */
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
