// /parks/new: adds a park.
import { createFileRoute } from '@tanstack/react-router';
import { NewParkScreen } from '#/screens/new-park/new-park-screen.tsx';

export const Route = createFileRoute('/parks/new')({ component: NewParkScreen });
