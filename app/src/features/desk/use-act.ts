// Performs an action of the desk and shows its result.
import { useState } from 'react';
import { rejectionCode } from '#/features/desk/commands/decide.ts';
import { textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { errorText } from '#/i18n/errors.ts';
import { showProblem, showSuccess } from '#/ui/toast.ts';

/** The action resolves with the message to show. */
export function useAct() {
  const text = useDeskText();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      showSuccess(await work());
    } catch (error) {
      const code = rejectionCode(error) ?? '';
      showProblem(
        code in text.site.rejections ? textOf(text.site.rejections, code) : errorText(error),
      );
    } finally {
      setBusy(false);
    }
  };
  return { busy, act };
}
