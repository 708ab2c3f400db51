// The accessibility statement.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { useInfoText } from '#/features/info/use-info-text.ts';

export const Route = createFileRoute('/accessibility')({ component: AccessibilityRoute });

function AccessibilityRoute() {
  return <InfoScreen text={useInfoText('accessibility')} />;
}
