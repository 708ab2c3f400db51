// How to delete an account, for everybody to read.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { useInfoText } from '#/features/info/use-info-text.ts';

export const Route = createFileRoute('/delete-account')({ component: DeleteAccountRoute });

function DeleteAccountRoute() {
  return <InfoScreen text={useInfoText('delete-account')} />;
}
