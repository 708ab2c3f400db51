// Undoes a visit that has just begun. The toast that offers it disappears when the visit ends.
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { clearUsualDogs } from '#/features/check-ins/usual-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { showError, showToast } from '#/ui/toast.ts';

const OFFERED_MS = 10_000;

export const undoToastId = (visitId: string): string => `undo ${visitId}`;

export const offerUndo = (
  visitId: string,
  text: string,
  action: { label: string; onSelect: () => void },
) => showToast(text, { id: undoToastId(visitId), action, lasts: OFFERED_MS });

/** The returned function also works after its component has unmounted, for example from a toast. */
export function useUndo(): (visit: { visitId: string; parkId: number }) => void {
  const t = useT();
  const checkOut = useCheckOut();
  return (visit) => {
    clearUsualDogs();
    void checkOut
      .mutateAsync({ ...visit, undo: true })
      .then(() => showToast(t('checkIns.undone')), showError);
  };
}
