// Asks a person whose login gave no age whether they are old enough; loaded when the server asks.
import { useState } from 'react';
import { useAgeQuestion } from '#/data/age/age-question.ts';
import { AgeCheckbox } from '#/features/consents/components/age-checkbox.tsx';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';

export default function AgeSheet() {
  const t = useT();
  const answer = useAgeQuestion();
  const [ofAge, setOfAge] = useState(false);
  const [problem, setProblem] = useState(false);
  return (
    <Sheet
      open={answer !== null}
      onClose={() => answer?.(false)}
      title={t('consents.age.title')}
      size="small"
      footer={
        <>
          <Button variant="secondary" onClick={() => answer?.(false)}>
            {t('ui.notNow')}
          </Button>
          <Button
            onClick={() => {
              if (ofAge) answer?.(true);
              else {
                setProblem(true);
                focusFirstProblem();
              }
            }}
          >
            {t('ui.confirm.confirm')}
          </Button>
        </>
      }
    >
      <p>{t('consents.age.text')}</p>
      <AgeCheckbox
        checked={ofAge}
        missing={problem}
        onChange={(on) => {
          setOfAge(on);
          setProblem(false);
        }}
      />
    </Sheet>
  );
}
