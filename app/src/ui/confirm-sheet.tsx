// A confirmation before an action that cannot be undone.
import { useId } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  text?: string;
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
}

export function ConfirmSheet({
  open,
  onClose,
  onConfirm,
  title,
  text,
  confirmLabel,
  danger = false,
  busy = false,
}: ConfirmSheetProps) {
  const t = useT();
  const id = useId();
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      size="small"
      describedBy={text && id}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} data-first-focus>
            {t('ui.confirm.cancel')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {text && (
        <p id={id} className="soft">
          {text}
        </p>
      )}
    </Sheet>
  );
}
