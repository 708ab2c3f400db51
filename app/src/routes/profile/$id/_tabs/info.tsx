// /profile/{id}/info: the info tab of a user's page.
import { createFileRoute } from '@tanstack/react-router';
import { InfoTab } from '#/screens/profile/info-tab.tsx';

export const Route = createFileRoute('/profile/$id/_tabs/info')({ component: InfoTab });
