// Shows new recovery codes, which cannot be shown again.
import { Copy } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { copyWithToast } from '#/ui/share-text.ts';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './account.module.css';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useT();
  return (
    <Sheet onClose={onClose} title={t('account.factor.codes')} size="small">
      <div className="column-4">
        <p>{t('account.factor.codesText')}</p>
        <ul className={styles.codes} dir="ltr">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Button
          wide
          variant="secondary"
          icon={Copy}
          onClick={() => void copyWithToast(codes.join('\n'), t('account.factor.codesCopied'))}
        >
          {t('account.factor.codesCopy')}
        </Button>
        <Button wide onClick={onClose}>
          {t('account.factor.codesKept')}
        </Button>
      </div>
    </Sheet>
  );
}
