// The rules for posting, which the terms contain in full.
import { useT } from '#/i18n/i18n.ts';
import styles from './posting-rules.module.css';

export function PostingRules() {
  const t = useT();
  return (
    <>
      <ul className={styles.rules}>
        <li>{t('consents.gate.ruleKind')}</li>
        <li>{t('consents.gate.ruleTrue')}</li>
        <li>{t('consents.gate.rulePrivate')}</li>
        <li>{t('consents.gate.ruleOwn')}</li>
      </ul>
      <p>{t('consents.gate.moderation')}</p>
    </>
  );
}
