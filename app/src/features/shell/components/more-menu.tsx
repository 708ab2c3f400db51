// The 'more' menu: what does not fit in the navbar. Loaded when it is first opened.
import { Link } from '@tanstack/react-router';
import {
  CalendarDays,
  CirclePlus,
  Compass,
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
import { useLogOut } from '#/offline/command-queue/use-log-out.tsx';
import { Icon } from '#/ui/icon.tsx';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { useAppearance } from '#/offline/use-appearance.ts';
import { LanguageSheet } from './language-sheet.tsx';
import styles from './more-menu.module.css';

export default function MoreMenu({ onClose }: { onClose: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { status } = useSession();
  const { theme, chooseTheme } = useAppearance();
  const [languageOpen, setLanguageOpen] = useState(false);
  const loggedIn = status === 'in';

  const { ask, sheet } = useLogOut(onClose);

  if (sheet) return sheet;
  if (languageOpen) return <LanguageSheet open onClose={onClose} />;
  return (
    <Sheet onClose={onClose} title={t('shell.navbar.more')} size="small" placement="rail">
      <ul className={styles.list}>
        <Entry to="/parks" icon={Compass} onClick={onClose}>
          {t('shell.more.explore')}
        </Entry>
        <Entry to="/users" icon={UserSearch} onClick={onClose}>
          {t('ui.findFriends')}
        </Entry>
        {loggedIn && (
          <Entry to="/meetings" icon={CalendarDays} onClick={onClose}>
            {t('ui.meetings')}
          </Entry>
        )}
        {loggedIn && (
          <Entry to="/parks/new" icon={CirclePlus} onClick={onClose}>
            {t('ui.addPark')}
          </Entry>
        )}
        <Entry to="/privacy-policy" icon={ShieldCheck} onClick={onClose}>
          {t('shell.more.privacy')}
        </Entry>
        <Entry to="/about" icon={Info} onClick={onClose}>
          {t('shell.more.about')}
        </Entry>
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
          <Entry to="/login" search={{ mode: 'login' }} icon={LogIn} directional onClick={onClose}>
            {t('ui.login')}
          </Entry>
        )}
      </ul>
      <p className={styles.small}>
        <Link to="/terms" onClick={onClose}>
          {t('shell.more.terms')}
        </Link>
        <Link to="/accessibility" onClick={onClose}>
          {t('shell.more.accessibility')}
        </Link>
        <Link to="/delete-account" onClick={onClose}>
          {t('ui.deleteAccount')}
        </Link>
      </p>
    </Sheet>
  );
}

interface EntryProps {
  to: string;
  search?: Record<string, string>;
  icon: LucideIcon;
  directional?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Entry({ to, search = {}, icon, directional = false, onClick, children }: EntryProps) {
  return (
    <li>
      <Link to={to} search={search} className={styles.entry} onClick={onClick}>
        <Icon of={icon} size={22} directional={directional} />
        <span className={styles.label}>{children}</span>
      </Link>
    </li>
  );
}
