// The language sheet, with each language's name in that language and a check mark on the current one.
import { Check } from 'lucide-react';
import { offeredLanguages, useLanguage, useT } from '#/i18n/i18n.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import { type SaveAppearance, useAppearance } from '#/entities/users/use-appearance.ts';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './language-sheet.module.css';

interface LanguageSheetProps {
  saveAppearance: SaveAppearance;
  onClose: () => void;
}

export function LanguageSheet({ saveAppearance, onClose }: LanguageSheetProps) {
  const t = useT();
  const current = useLanguage();
  const { chooseLanguage } = useAppearance(saveAppearance);

  const choose = (language: Language) => {
    onClose();
    if (language !== current) chooseLanguage(language);
  };

  return (
    <Sheet onClose={onClose} title={t('ui.language')} size="small">
      <ul className="column-2">
        {offeredLanguages().map((language) => (
          <li key={language}>
            <button
              type="button"
              lang={language}
              className={styles.language}
              aria-current={language === current || undefined}
              onClick={() => choose(language)}
            >
              <span dir={LANGUAGES[language].direction}>{LANGUAGES[language].name}</span>
              {language === current && <Icon of={Check} size={22} />}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
