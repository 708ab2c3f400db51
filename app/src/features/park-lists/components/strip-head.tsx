// The row above the cards of nearby parks, with the reasons that all of them share and the link to the list.
import { List, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './strip-head.module.css';

interface StripHeadProps {
  /** The chosen hour as text; null for the current hour. */
  hour: string | null;
  onNow: () => void;
  /** The reasons that all parks share. */
  children: ReactNode;
}

export function StripHead({ hour, onNow, children }: StripHeadProps) {
  const t = useT();
  return (
    <div className={styles.head}>
      {hour !== null && (
        <button
          type="button"
          className={styles.hour}
          aria-label={`${hour}, ${t('parks.clock.now')}`}
          onClick={onNow}
        >
          {hour}
          <Icon of={X} size={18} />
        </button>
      )}
      {children}
      <ButtonLink
        from="/"
        to="/parks"
        // Read the URL on click, because a filter that was just chosen may not be rendered yet.
        search={({ lat: _lat, long: _long, park: _park, keepMap: _keepMap, ...chosen }) => chosen}
        variant="secondary"
        icon={List}
        className={styles.list}
      >
        {t('home.list')}
      </ButtonLink>
    </div>
  );
}
