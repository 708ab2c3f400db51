// What Packpark is.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { infoTextQueryOptions, useInfoText } from '#/features/info/use-info-text.ts';
import { currentLanguage } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/about')({
  loader: ({ context }) =>
    context.queryClient.ensureQueryData(infoTextQueryOptions(currentLanguage(), 'about')),
  component: AboutRoute,
});

function AboutRoute() {
  return <InfoScreen text={useInfoText('about')} />;
}
