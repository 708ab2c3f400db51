// The screen for adding a park, which requires a login.
import { useState } from 'react';
import { useSubmitPark } from '#/features/park-facts/commands/submit-park.ts';
import { NewParkForm } from '#/features/park-facts/components/new-park-form.tsx';
import { ParkThanks } from '#/features/park-facts/components/park-thanks.tsx';
import type { NewParkInput } from '#/features/park-facts/park-input.ts';
import { useUploadParkPhoto } from '#/features/photos/commands/park-photo.command.ts';
import { useTermsGate } from '#/features/consents/use-terms-gate.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { errorText } from '#/i18n/errors.ts';
import { useSession } from '#/data/session/session.ts';
import { LocationPicker } from '#/screens/shared/location-picker.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { showProblem } from '#/ui/toast.ts';
import { LoginNeeded } from '#/entities/session/use-login-gate.tsx';

export function NewParkScreen() {
  const t = useT();
  const language = useLanguage();
  const { status } = useSession();
  const terms = useTermsGate();
  const submit = useSubmitPark();
  const upload = useUploadParkPhoto();
  const [step, setStep] = useState<'form' | 'sending' | 'thanks'>('form');
  const idempotencyKey = useIdempotencyKey();

  const send = async (park: NewParkInput, photo: File | null, sent: () => void) => {
    setStep('sending');
    try {
      if (!(await terms.askForFacts())) return setStep('form');
      const parkId = await submit.mutateAsync({
        park,
        language,
        key: idempotencyKey.of([park, language]),
      });
      idempotencyKey.done();
      sent();
      if (photo)
        await upload
          .mutateAsync({ parkId, file: photo })
          .catch(() => showProblem(t('parks.new.photoFailed')));
      setStep('thanks');
    } catch (error) {
      showProblem(errorText(error, { too_many: 'parks.new.tooMany' }));
      setStep('form');
    }
  };

  if (step === 'thanks')
    return (
      <Page width="narrow">
        <ParkThanks onAnother={() => setStep('form')} />
      </Page>
    );
  return (
    <Page width="narrow">
      <PageHeader title={t('ui.addPark')} back={{ to: '/parks' }} />
      {status === 'in' ? (
        <NewParkForm
          busy={step === 'sending'}
          picker={(location, onPick, error) => (
            <LocationPicker
              label={t('parks.new.location')}
              value={location}
              onChange={onPick}
              error={error}
              parks
            />
          )}
          onSubmit={(park, photo, sent) => void send(park, photo, sent)}
        />
      ) : (
        status !== 'unknown' && <LoginNeeded text={t('parks.new.gate')} />
      )}
      {terms.sheet}
    </Page>
  );
}
