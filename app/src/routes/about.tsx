// /about: describes Packpark.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';

export const Route = createFileRoute('/about')({ component: () => <InfoScreen page="about" /> });
