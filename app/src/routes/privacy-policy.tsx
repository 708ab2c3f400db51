// The privacy policy.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { PRIVACY_UPDATED } from '#/features/info/privacy-updated.ts';
import { useInfoText } from '#/features/info/use-info-text.ts';

export const Route = createFileRoute('/privacy-policy')({ component: PrivacyRoute });

function PrivacyRoute() {
  return <InfoScreen text={useInfoText('privacy')} updated={PRIVACY_UPDATED} />;
}
