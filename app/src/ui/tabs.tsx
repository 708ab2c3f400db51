// Tabs that are links to child routes, so that back and share work. The current one is marked.
import { Link, type LinkProps, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Badge } from '#/ui/badge.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { useTitle } from '#/ui/use-title.ts';
import styles from './tabs.module.css';

export interface Tab {
  /** Created with `linkOptions({ to, params })`. */
  link: LinkProps;
  label: string;
  icon?: LucideIcon;
  /** True if only this path is current and not its children (for an index tab). */
  exact?: boolean;
  badge?: { count: number; label: string };
}

/** @param of name of the park or user whose pages these are, for the document's title */
export function Tabs({ label, tabs, of }: { label: string; tabs: readonly Tab[]; of: string }) {
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const current = tabs.find(
    ({ link, exact }) => !exact && path.startsWith(router.buildLocation(link as never).pathname),
  );
  const title = current ? `${current.label} – ${of}` : of;
  useTitle(title);
  useAnnounce(title);
  const strip = useRef<HTMLElement>(null);

  // Scroll after the router, which restores the scroll position of the previous page.
  useEffect(() => {
    showCurrent(strip.current);
    return router.subscribe('onRendered', () => showCurrent(strip.current));
  }, [router]);

  return (
    <nav ref={strip} aria-label={label} className={styles.tabs}>
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

/** Scrolls the current tab to the centre of the strip. scrollIntoView might scroll the page as well. */
function showCurrent(strip: HTMLElement | null): void {
  const current = strip?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!strip || !current) return;
  const around = strip.getBoundingClientRect();
  strip.scrollLeft += current.left + current.width / 2 - around.left - around.width / 2;
}
