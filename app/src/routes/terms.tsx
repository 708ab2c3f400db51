// The terms of use.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';

export const Route = createFileRoute('/terms')({ component: () => <InfoScreen page="terms" /> });
