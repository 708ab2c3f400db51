// /dog-invites/{secret}: where the link of a dog's owner leads.
import { createFileRoute } from '@tanstack/react-router';
import { DogInviteScreen } from '#/screens/dog-invite/dog-invite-screen.tsx';

export const Route = createFileRoute('/dog-invites/$secret')({ component: DogInviteScreen });
