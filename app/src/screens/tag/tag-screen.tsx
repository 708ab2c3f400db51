// The page of a dog's tag, with the location of the finder.
import { getRouteApi } from '@tanstack/react-router';
import { TagPage } from '#/features/lost-dogs/components/tag-page.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { Page } from '#/ui/page.tsx';

const route = getRouteApi('/tag/$code');

export function TagScreen() {
  const { code } = route.useParams();
  const { ask, sheet } = useLocationNeed();
  return (
    <Page width="narrow">
      <TagPage code={code} locate={ask} />
      {sheet}
    </Page>
  );
}
