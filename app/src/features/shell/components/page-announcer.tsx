// Reads the title of a new screen aloud, for those who do not see it change.
import { useSaidTitle } from '#/ui/page-announcer.ts';

export function PageAnnouncer() {
  return (
    <p aria-live="polite" className="visually-hidden">
      {useSaidTitle()}
    </p>
  );
}
