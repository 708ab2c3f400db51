// The accessibility statement.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { infoTextQueryOptions, useInfoText } from '#/features/info/use-info-text.ts';
import { currentLanguage } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/accessibility')({
  loader: ({ context }) =>
    context.queryClient.ensureQueryData(infoTextQueryOptions(currentLanguage(), 'accessibility')),
  component: AccessibilityRoute,
});

function AccessibilityRoute() {
  return <InfoScreen text={useInfoText('accessibility')} />;
}
