// Asks the user to accept the terms before the first post. Returns a function to await and the sheet to render.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ODBL_URL } from '#/entities/parks/licences.ts';
import { useAcceptTerms } from '#/features/consents/commands/accept-terms.command.ts';
import { PostingRules } from '#/features/consents/components/posting-rules.tsx';
import { useAgeCheckbox } from '#/features/consents/use-age-checkbox.tsx';
import { knownConsents } from '#/features/consents/queries/consents.ts';
import { useT } from '#/i18n/i18n.ts';
import { showProblem } from '#/ui/toast.ts';
import { Button } from '#/ui/button.tsx';
import { RichText } from '#/ui/rich-text.tsx';
import { Sheet } from '#/ui/sheet.tsx';

/**
 * `ask` returns true once the user has accepted the terms, and false if the user declines. `askForFacts` also requires the licence
 * of facts about parks. @throws {AppError}
 */
export function useTermsGate() {
  const t = useT();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const [ageMissing, setAgeMissing] = useState(false);
  /** True if the user accepted older terms, which did not include the licence. */
  const [licenceOnly, setLicenceOnly] = useState(false);
  const { checkbox, isConfirmed } = useAgeCheckbox();
  const answer = useRef<((accepted: boolean) => void) | null>(null);
  const accept = useAcceptTerms();

  const close = (accepted: boolean) => {
    setOpen(false);
    answer.current?.(accepted);
    answer.current = null;
  };

  const askFor = async (facts: boolean) => {
    const consents = await knownConsents(queryClient);
    const accepted = consents.terms_accepted && consents.age_confirmed;
    if (accepted && (!facts || consents.licence_agreed)) return true;
    setAgeMissing(!consents.age_confirmed);
    setLicenceOnly(accepted);
    setOpen(true);
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  };

  const sheet = (
    <Sheet
      open={open}
      onClose={() => close(false)}
      title={t('consents.gate.title')}
      size="small"
      footer={
        <>
          <Button variant="secondary" onClick={() => close(false)}>
            {t('ui.notNow')}
          </Button>
          <Button
            busy={accept.isPending}
            onClick={() => {
              if (ageMissing && !isConfirmed()) return;
              accept.mutate(
                { confirmAge: ageMissing, licence: true },
                {
                  onSuccess: () => close(true),
                  onError: () => showProblem(t('ui.tryLater')),
                },
              );
            }}
          >
            {t('consents.gate.accept')}
          </Button>
        </>
      }
    >
      <div className="grid-3">
        {licenceOnly ? (
          <p>{t('consents.gate.licenceIntro')}</p>
        ) : (
          <>
            <p>{t('consents.gate.intro')}</p>
            <PostingRules />
          </>
        )}
        <p>
          <RichText
            text={t('consents.gate.licence')}
            tags={{
              odbl: (content) => (
                <a href={ODBL_URL} target="_blank" rel="noreferrer">
                  {content}
                </a>
              ),
            }}
          />
        </p>
        {ageMissing && checkbox}
      </div>
    </Sheet>
  );
  return { ask: () => askFor(false), askForFacts: () => askFor(true), sheet };
}
