// The main navigation: a bar at the bottom of a phone, or from 960px a rail next to the content.
import { Link, useLocation } from '@tanstack/react-router';
import {
  Bell,
  CircleUserRound,
  Ellipsis,
  House,
  LogIn,
  type LucideIcon,
  Trees,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { missingPart } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import { Icon } from '#/ui/icon.tsx';
import { showError } from '#/ui/toast.ts';
import { Logo } from './logo.tsx';
import type { MoreMenuProps } from './more-menu.tsx';
import styles from './navbar.module.css';

const MoreMenu = lazyPart<MoreMenuProps>(() => import('./more-menu.tsx'), MissingMenu);

interface NavbarProps extends Pick<MoreMenuProps, 'saveAppearance' | 'desk'> {
  /** Shown on the link to the notifications of a logged-in user. */
  badge: ReactNode;
}

export function Navbar({ badge, saveAppearance, desk }: NavbarProps) {
  const t = useT();
  const { status, userId } = useSession();
  const [moreOpen, setMoreOpen] = useState(false);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // Keep the filters in links between the map and the list.
  const search = path === '/' || path === '/parks' ? withFilters : {};
  return (
    <nav aria-label={t('shell.navbar.label')} className={styles.navbar}>
      <Link to="/" className={styles.logo} aria-label={t('app.name')} tabIndex={-1}>
        <Logo />
      </Link>
      <ul className={styles.list}>
        <Item to="/" exact search={search} icon={House} label={t('shell.navbar.home')} />
        <Item to="/parks" search={search} icon={Trees} label={t('shell.navbar.parks')} />
        {status === 'in' && userId ? (
          <>
            <Item
              to={`/profile/${userId}`}
              icon={CircleUserRound}
              label={t('shell.navbar.profile')}
            />
            <Item to="/notifications" icon={Bell} label={t('ui.notifications')}>
              <span className={styles.badge}>{badge}</span>
            </Item>
          </>
        ) : (
          <Item
            to="/login"
            search={{ mode: 'login' }}
            icon={LogIn}
            directional
            label={t('shell.navbar.login')}
            hidden={status === 'unknown'}
          />
        )}
        <li className={styles.more}>
          <button
            type="button"
            className={styles.item}
            aria-haspopup="dialog"
            aria-expanded={moreOpen}
            onClick={() => setMoreOpen(true)}
          >
            <span className={styles.pill}>
              <Icon of={Ellipsis} size={24} />
            </span>
            {t('shell.navbar.more')}
          </button>
        </li>
      </ul>
      {moreOpen && (
        <MoreMenu saveAppearance={saveAppearance} desk={desk} onClose={() => setMoreOpen(false)} />
      )}
    </nav>
  );
}

/** Returns only the filters in the search parameters of the map or the list. */
function withFilters({
  lat: _lat,
  long: _long,
  park: _park,
  q: _q,
  sort: _sort,
  ...filters
}: Record<string, unknown>) {
  return filters;
}

/** Shows a toast if loading the menu failed. */
function MissingMenu({ onClose }: Pick<MoreMenuProps, 'onClose'>) {
  useEffect(() => {
    void missingPart().then(showError);
    onClose();
  }, [onClose]);
  return null;
}

interface ItemProps {
  to: string;
  exact?: boolean;
  search?: object;
  icon: LucideIcon;
  directional?: boolean;
  label: string;
  /** Invisible but taking its space, until the session is known. */
  hidden?: boolean;
  children?: ReactNode;
}

function Item({
  to,
  exact = false,
  search = {},
  icon,
  directional = false,
  label,
  hidden,
  children,
}: ItemProps) {
  return (
    <li className={hidden ? styles.hidden : undefined}>
      <Link
        to={to}
        search={search as never}
        className={styles.item}
        activeOptions={{ exact, includeSearch: false }}
      >
        <span className={styles.pill}>
          <Icon of={icon} size={24} directional={directional} />
          {children}
        </span>
        {label}
      </Link>
    </li>
  );
}
