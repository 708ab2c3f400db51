// /meet/{secret}: the page behind a friend code.
import { createFileRoute } from '@tanstack/react-router';
import { MeetScreen } from '#/screens/meet/meet-screen.tsx';

export const Route = createFileRoute('/meet/$secret')({ component: MeetScreen });
