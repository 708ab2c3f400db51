// /tag/{code}: where the QR code on a dog's tag leads.
import { createFileRoute } from '@tanstack/react-router';
import { TagPage } from '#/features/lost-dogs/components/tag-page.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { Page } from '#/ui/page.tsx';

export const Route = createFileRoute('/tag/$code')({ component: TagRoute });

function TagRoute() {
  const { code } = Route.useParams();
  const { ask, sheet } = useLocationNeed();
  return (
    <Page width="narrow">
      <TagPage code={code} locate={ask} />
      {sheet}
    </Page>
  );
}
