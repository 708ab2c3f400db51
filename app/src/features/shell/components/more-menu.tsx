// The 'more' menu: the links that do not fit in the navbar. Loaded when it is first opened.
import { Link } from '@tanstack/react-router';
import {
  CalendarDays,
  CirclePlus,
  Compass,
  Download,
  Globe,
  Info,
  LogIn,
  LogOut,
  type LucideIcon,
  Moon,
  ShieldCheck,
  Sun,
  SunMoon,
  UserSearch,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { useSession } from '#/data/session/session.ts';
import { useLogOut } from '#/entities/session/use-log-out.tsx';
import { getConfig } from '#/platform/config.ts';
import { Icon } from '#/ui/icon.tsx';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { type SaveAppearance, useAppearance } from '#/entities/users/use-appearance.ts';
import { LanguageSheet } from './language-sheet.tsx';
import styles from './more-menu.module.css';

export interface MoreMenuProps {
  saveAppearance: SaveAppearance;
  /** The link to the desk, for moderators, administrators and towns. */
  desk: (onOpen: () => void) => ReactNode;
  onClose: () => void;
}

export default function MoreMenu({ saveAppearance, desk, onClose }: MoreMenuProps) {
  const t = useT();
  const language = useLanguage();
  const { status } = useSession();
  const { theme, chooseTheme } = useAppearance(saveAppearance);
  const [languageOpen, setLanguageOpen] = useState(false);
  const loggedIn = status === 'in';

  const { ask, sheet } = useLogOut(onClose);

  if (sheet) return sheet;
  if (languageOpen) return <LanguageSheet saveAppearance={saveAppearance} onClose={onClose} />;
  return (
    <Sheet onClose={onClose} title={t('shell.navbar.more')} size="small" placement="rail">
      <ul className={styles.list}>
        <Entry to="/parks" icon={Compass} label={t('shell.more.explore')} onClick={onClose} />
        <Entry to="/users" icon={UserSearch} label={t('ui.findFriends')} onClick={onClose} />
        {loggedIn && (
          <>
            <Entry to="/meetings" icon={CalendarDays} label={t('ui.meetings')} onClick={onClose} />
            <Entry to="/parks/new" icon={CirclePlus} label={t('ui.addPark')} onClick={onClose} />
          </>
        )}
        {getConfig().map && (
          <Entry
            to="/"
            search={(now: object) => ({ ...now, keepMap: true })}
            icon={Download}
            label={t('offlineMap.button')}
            onClick={onClose}
          />
        )}
        <Entry
          to="/privacy-policy"
          icon={ShieldCheck}
          label={t('shell.more.privacy')}
          onClick={onClose}
        />
        <Entry to="/about" icon={Info} label={t('shell.more.about')} onClick={onClose} />
        <li>
          <button type="button" className={styles.entry} onClick={() => setLanguageOpen(true)}>
            <Icon of={Globe} size={22} />
            <span className={styles.label}>{t('ui.language')}</span>
            <span className="note" lang={language}>
              {LANGUAGES[language].name}
            </span>
          </button>
        </li>
        <li className={styles.theme}>
          <SegmentedControl
            label={t('ui.theme')}
            options={[
              { value: 'light', label: t('ui.theme.light'), icon: Sun },
              { value: 'dark', label: t('ui.theme.dark'), icon: Moon },
              { value: 'system', label: t('ui.theme.system'), icon: SunMoon },
            ]}
            value={theme}
            onChange={chooseTheme}
          />
        </li>
        {loggedIn ? (
          <li>
            <button type="button" className={styles.entry} onClick={() => void ask('global')}>
              <Icon of={LogOut} size={22} directional />
              <span className={styles.label}>{t('shell.more.logout')}</span>
            </button>
          </li>
        ) : (
          <Entry
            to="/login"
            search={{ mode: 'login' }}
            icon={LogIn}
            directional
            label={t('ui.login')}
            onClick={onClose}
          />
        )}
      </ul>
      {loggedIn && desk(onClose)}
      <p className={styles.small}>
        <Link to="/terms" onClick={onClose}>
          {t('shell.more.terms')}
        </Link>
        <Link to="/accessibility" onClick={onClose}>
          {t('shell.more.accessibility')}
        </Link>
        {/* Logged-out visitors have no account to delete. The privacy policy and the terms also link to this page. */}
        {loggedIn && (
          <Link to="/delete-account" onClick={onClose}>
            {t('ui.deleteAccount')}
          </Link>
        )}
      </p>
    </Sheet>
  );
}

interface EntryProps {
  to: string;
  search?: Record<string, string> | ((now: object) => object);
  icon: LucideIcon;
  directional?: boolean;
  label: string;
  onClick: () => void;
}

function Entry({ to, search = {}, icon, directional = false, label, onClick }: EntryProps) {
  return (
    <li>
      <Link to={to} search={search} className={styles.entry} onClick={onClick}>
        <Icon of={icon} size={22} directional={directional} />
        <span className={styles.label}>{label}</span>
      </Link>
    </li>
  );
}
