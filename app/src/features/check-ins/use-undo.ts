// Takes a visit back that has just begun, as if it had not been; the toast that offers it goes when the visit ends.
import { useCheckOut } from '#/features/check-ins/commands/check-out.command.ts';
import { forgetDogs } from '#/features/check-ins/usual-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { hideToast, showError, showToast } from '#/ui/toast.ts';

const OFFERED_MS = 10_000;

/** The last toast that offered it. */
let offer = { visitId: '', toast: 0 };

export function offerUndo(
  visitId: string,
  text: string,
  action: { label: string; onSelect: () => void },
): void {
  offer = { visitId, toast: showToast(text, { action, lasts: OFFERED_MS }) };
}

/** Who has left has nothing to undo. */
export function endUndo(visitId: string): void {
  if (offer.visitId === visitId) hideToast(offer.toast);
}

/** Also for what outlives its component, such as a toast. */
export function useUndo(): (visit: { visitId: string; parkId: number }) => void {
  const t = useT();
  const checkOut = useCheckOut();
  return (visit) => {
    forgetDogs();
    void checkOut
      .mutateAsync({ ...visit, undo: true })
      .then(() => showToast(t('checkIns.undone')), showError);
  };
}
