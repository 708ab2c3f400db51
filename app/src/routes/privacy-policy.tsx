// The privacy policy.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { useInfoText } from '#/features/info/use-info-text.ts';

/** When the text last changed; change both together. */
const UPDATED = { iso: '2025-07-01', shown: '1.7.25' };

export const Route = createFileRoute('/privacy-policy')({ component: PrivacyRoute });

function PrivacyRoute() {
  return <InfoScreen text={useInfoText('privacy')} updated={UPDATED} />;
}
