// After a login: opens what was wanted before it, and does what nobody else sees.
import type { AnyRouter } from '@tanstack/react-router';
import { forgetIntent, type Intent } from '#/data/session/intent.ts';
import { runNamed } from '#/offline/command-queue/run-named.ts';
import { setNamedOverlays } from '#/ui/overlays.ts';
import { showError } from '#/ui/toast.ts';

/** @param otherwise where it leads where nothing was wanted */
export async function goOn(
  router: Pick<AnyRouter, 'navigate'>,
  intent: Intent | null,
  otherwise: string,
): Promise<void> {
  await router.navigate({ href: intent?.href ?? otherwise, replace: true });
  forgetIntent();
  if (!intent) return;
  setNamedOverlays(intent.opens);
  const { does } = intent;
  if (does) await runNamed(does.command, does.input).catch(showError);
}
