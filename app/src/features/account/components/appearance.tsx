// Theme and language. A choice is applied on this device immediately and saved in the account for notifications and other devices.
import { offeredLanguages, useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { useAppearance } from '#/entities/users/use-appearance.ts';
import { saveAppearance } from '#/features/account/commands/save-appearance.command.ts';
import { SegmentedControl } from '#/ui/segmented-control.tsx';

export function Appearance() {
  const t = useT();
  const { theme, chooseTheme, chooseLanguage } = useAppearance(saveAppearance);
  const language = useLanguage();
  return (
    <div className="column-4">
      <SegmentedControl
        labelShown
        label={t('ui.theme')}
        options={[
          { value: 'light', label: t('ui.theme.light') },
          { value: 'dark', label: t('ui.theme.dark') },
          { value: 'system', label: t('ui.theme.system') },
        ]}
        value={theme}
        onChange={chooseTheme}
      />
      <SegmentedControl
        labelShown
        label={t('ui.language')}
        options={offeredLanguages().map((value) => ({
          value,
          label: LANGUAGES[value].name,
          lang: value,
        }))}
        value={language}
        onChange={chooseLanguage}
      />
    </div>
  );
}
