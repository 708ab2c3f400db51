// How to delete an account, for everybody to read.
import { createFileRoute } from '@tanstack/react-router';
import { InfoScreen } from '#/features/info/components/info-screen.tsx';
import { infoTextQueryOptions, useInfoText } from '#/features/info/use-info-text.ts';
import { currentLanguage } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/delete-account')({
  loader: ({ context }) =>
    context.queryClient.ensureQueryData(infoTextQueryOptions(currentLanguage(), 'delete-account')),
  component: DeleteAccountRoute,
});

function DeleteAccountRoute() {
  return <InfoScreen text={useInfoText('delete-account')} />;
}
