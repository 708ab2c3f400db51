// The accessibility statement.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';

export const Route = createFileRoute('/accessibility')({
  component: () => <InfoScreen page="accessibility" />,
});
