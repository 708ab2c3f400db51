// The privacy policy.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { PRIVACY_UPDATED } from '#/features/info/privacy-updated.ts';

export const Route = createFileRoute('/privacy-policy')({
  component: () => <InfoScreen page="privacy" updated={PRIVACY_UPDATED} />,
});
