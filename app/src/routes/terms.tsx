// The terms of use.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { infoTextQueryOptions, useInfoText } from '#/features/info/use-info-text.ts';
import { currentLanguage } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/terms')({
  loader: ({ context }) =>
    context.queryClient.ensureQueryData(infoTextQueryOptions(currentLanguage(), 'terms')),
  component: TermsRoute,
});

function TermsRoute() {
  return <InfoScreen text={useInfoText('terms')} />;
}
