// Theme and language, on this device at once and in the account for notifications and the next device.
import { chooseLanguage, useLanguage, useT } from '#/i18n/i18n.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import { saveOwnUser } from '#/data/session/session.ts';
import { useThemeChoice } from '#/data/session/use-theme-choice.ts';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import styles from './account.module.css';

export function Appearance() {
  const t = useT();
  const [theme, chooseTheme] = useThemeChoice();
  const language = useLanguage();
  const choose = (next: Language) => {
    chooseLanguage(next)
      .then(() => saveOwnUser({ language: next }))
      .catch((error: unknown) => console.error('The language could not be changed:', error));
  };
  return (
    <div className={styles.form}>
      <SegmentedControl
        labelShown
        label={t('account.appearance.theme')}
        options={[
          { value: 'light', label: t('account.appearance.light') },
          { value: 'dark', label: t('account.appearance.dark') },
          { value: 'system', label: t('account.appearance.system') },
        ]}
        value={theme}
        onChange={chooseTheme}
      />
      <SegmentedControl
        labelShown
        label={t('account.appearance.language')}
        options={Object.entries(LANGUAGES).map(([value, { name }]) => ({
          value: value as Language,
          label: name,
          lang: value,
        }))}
        value={language}
        onChange={choose}
      />
    </div>
  );
}
