// The calm shape of a screen whose module or data is on its way.
import { Page } from '#/ui/page.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

export function PendingScreen() {
  return (
    <Page>
      <Skeleton width="50%" height="2rem" />
      <Skeleton height="7rem" />
      <Skeleton height="7rem" />
      <Skeleton height="7rem" />
    </Page>
  );
}
