// /dog-invites/{secret}: the page behind an owner's link that invites another user to care for a dog.
import { createFileRoute } from '@tanstack/react-router';
import { DogInviteScreen } from '#/screens/dog-invite/dog-invite-screen.tsx';

export const Route = createFileRoute('/dog-invites/$secret')({ component: DogInviteScreen });
