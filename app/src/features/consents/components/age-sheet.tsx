// Asks users whose login provider shares no age whether they are old enough. Loaded when the server requires it.
import { useAgePrompt } from '#/data/session/age-prompt.ts';
import { useAgeCheckbox } from '#/features/consents/use-age-checkbox.tsx';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';

export default function AgeSheet() {
  const t = useT();
  const answer = useAgePrompt();
  const { checkbox, isConfirmed } = useAgeCheckbox();
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
          <Button onClick={() => isConfirmed() && answer?.(true)}>{t('ui.confirm.confirm')}</Button>
        </>
      }
    >
      <p>{t('consents.age.text')}</p>
      {checkbox}
    </Sheet>
  );
}
