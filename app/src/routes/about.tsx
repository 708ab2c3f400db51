// What Packpark is.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { useInfoText } from '#/features/info/use-info-text.ts';

export const Route = createFileRoute('/about')({ component: AboutRoute });

function AboutRoute() {
  return <InfoScreen text={useInfoText('about')} />;
}
