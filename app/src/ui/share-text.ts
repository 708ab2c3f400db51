// Copies or shares text after a tap and shows whether that succeeded.
import { translate } from '#/i18n/i18n.ts';
import { copyText, type SharedLink, shareBySystem } from '#/platform/share-link.ts';
import { showProblem, showSuccess } from '#/ui/toast.ts';

export async function copyWithToast(text: string, copied: string): Promise<void> {
  if (await copyText(text)) showSuccess(copied);
  else showProblem(translate('ui.tryLater'));
}

export async function shareWithToast(link: SharedLink): Promise<void> {
  if (!(await shareBySystem(link))) showProblem(translate('ui.tryLater'));
}
