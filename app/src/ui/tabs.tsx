// Tabs that are links to child pages: a navigation whose current page is marked, so back and share work.
import { Link, type LinkProps } from '@tanstack/react-router';
import { Badge } from '#/ui/badge.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './tabs.module.css';

export interface Tab {
  /** Made with `linkOptions({ to, params })`. */
  link: LinkProps;
  label: string;
  icon?: LucideIcon;
  /** Only this very path counts as current, not its children (for an index tab). */
  exact?: boolean;
  badge?: { count: number; label: string };
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul className={styles.list}>
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              {...tab.link}
              className={styles.tab}
              activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}
              replace
              resetScroll={false}
            >
              {tab.icon && <Icon of={tab.icon} size={18} />}
              <span>{tab.label}</span>
              {tab.badge && <Badge {...tab.badge} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
