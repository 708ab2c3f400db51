// The language modal: each language by its own name, a check on the current one.
import { Check } from 'lucide-react';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { isLanguage, LANGUAGES } from '#/i18n/languages.ts';
import { useAppearance } from '#/offline/use-appearance.ts';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './language-sheet.module.css';

export function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  const current = useLanguage();
  const { chooseLanguage } = useAppearance();

  const choose = (language: string) => {
    onClose();
    if (isLanguage(language) && language !== current) chooseLanguage(language);
  };

  return (
    <Sheet open={open} onClose={onClose} title={t('shell.language.title')} size="small">
      <ul className={styles.list}>
        {Object.entries(LANGUAGES).map(([language, { name, direction }]) => (
          <li key={language}>
            <button
              type="button"
              lang={language}
              className={styles.language}
              aria-current={language === current || undefined}
              onClick={() => choose(language)}
            >
              <span dir={direction}>{name}</span>
              {language === current && <Icon of={Check} size={22} />}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
