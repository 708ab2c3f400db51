// /profile/{id}: the frame of a user's page.
import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '#/screens/profile/profile-screen.tsx';

export const Route = createFileRoute('/profile/$id/_tabs')({ component: ProfileScreen });
