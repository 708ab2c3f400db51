// /parks/{id}/visitors: the users and dogs at the park.
import { createFileRoute } from '@tanstack/react-router';
import { VisitorsPage } from '#/screens/park/visitors-page.tsx';

export const Route = createFileRoute('/parks/$parkId/visitors')({ component: VisitorsPage });
