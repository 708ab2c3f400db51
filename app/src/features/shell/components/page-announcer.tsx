// Reads the title of a new screen aloud, for those who do not see it change.
import { useSyncExternalStore } from 'react';
import { getPageTitle, subscribePageTitle } from '#/ui/page-announcer.ts';

export function PageAnnouncer() {
  const title = useSyncExternalStore(subscribePageTitle, getPageTitle);
  return (
    <p aria-live="polite" className="visually-hidden">
      {title}
    </p>
  );
}
