// The terms in one line above a form's button, for forms that the sheet of use-terms-gate.tsx must not interrupt.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAcceptTerms } from '#/features/consents/commands/accept-terms.command.ts';
import { PostingRules } from '#/features/consents/components/posting-rules.tsx';
import { knownConsents, myConsentsQueryOptions } from '#/features/consents/queries/consents.ts';
import { useAgeCheckbox } from '#/features/consents/use-age-checkbox.tsx';
import { useT } from '#/i18n/i18n.ts';
import { RichText } from '#/ui/rich-text.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './use-consent-line.module.css';

interface ConsentLine {
  /** Null if the user has already accepted the terms. */
  line: ReactNode;
  /** Accepts the terms without the licence of facts. Returns false if the age is not confirmed yet. @throws {AppError} */
  accept: () => Promise<boolean>;
}

export function useConsentLine(enabled: boolean): ConsentLine {
  const t = useT();
  const queryClient = useQueryClient();
  const { data: consents } = useQuery({ ...myConsentsQueryOptions(), enabled });
  const [reading, setReading] = useState(false);
  const { checkbox, isConfirmed } = useAgeCheckbox();
  const { mutateAsync } = useAcceptTerms();
  const asksAge = consents?.age_confirmed === false;
  const isMissing = consents && !(consents.terms_accepted && consents.age_confirmed);
  return {
    line: isMissing && (
      <div className="grid-2">
        {asksAge && checkbox}
        <p className="note">
          <RichText
            text={t('lostDogs.consent')}
            tags={{
              rules: (content) => (
                <button type="button" className={styles.link} onClick={() => setReading(true)}>
                  {content}
                </button>
              ),
            }}
          />
        </p>
        <Sheet
          open={reading}
          onClose={() => setReading(false)}
          title={t('consents.gate.title')}
          size="small"
        >
          <div className="grid-3">
            <PostingRules />
          </div>
        </Sheet>
      </div>
    ),
    async accept() {
      const known = await knownConsents(queryClient);
      if (known.terms_accepted && known.age_confirmed) return true;
      if (!known.age_confirmed && !isConfirmed()) return false;
      await mutateAsync({ confirmAge: !known.age_confirmed, licence: false });
      return true;
    },
  };
}
