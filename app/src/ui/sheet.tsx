// The modal of the app: a bottom sheet on a phone, a dialog on a desktop.
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { classNames } from '#/ui/class-names.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { useModal } from '#/ui/use-modal.ts';
import styles from './sheet.module.css';

interface SheetProps {
  /** Omit this for a sheet that is rendered only while it is open. */
  open?: boolean;
  /** The user closed it (Esc, backdrop, back, close button); set `open` to false. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons that stay visible below the scrolling content; the main one last. */
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** Position on a desktop; rail: next to the navbar that opened it. */
  placement?: 'centre' | 'rail';
  /** ID of a question that is read aloud with the title; makes the sheet an alertdialog. */
  describedBy?: string | undefined;
}

export const Sheet = ({ open = true, ...rest }: SheetProps) =>
  open ? <OpenSheet {...rest} /> : null;

function OpenSheet({
  onClose,
  title,
  children,
  footer,
  size = 'medium',
  placement = 'centre',
  describedBy,
}: Omit<SheetProps, 'open'>) {
  const t = useT();
  const titleId = useId();
  const ref = useModal(onClose);
  return (
    <dialog
      ref={ref}
      role={describedBy ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      className={classNames(styles.sheet, styles[size], placement === 'rail' && styles.rail)}
    >
      <div className={styles.frame}>
        <header className={styles.header}>
          <h2 id={titleId} tabIndex={-1} data-first-focus className={styles.title}>
            {title}
          </h2>
          <IconButton label={t('ui.sheet.close')} icon={X} onClick={onClose} />
        </header>
        <div className={styles.content}>{children}</div>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
}
