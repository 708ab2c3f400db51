// The terms of use.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { useInfoText } from '#/features/info/use-info-text.ts';

export const Route = createFileRoute('/terms')({ component: TermsRoute });

function TermsRoute() {
  return <InfoScreen text={useInfoText('terms')} />;
}
