// Renders the toasts above everything, in the live regions that also contain the announcements.
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useAnnouncements } from '#/ui/announcements.ts';
import { hideToast, type Toast, useToasts } from '#/ui/toast.ts';
import { useTopModal } from '#/ui/modals.ts';
import { useUncoverFocus } from '#/ui/use-uncover-focus.ts';
import styles from './toaster.module.css';

/**
 * A toast under the pointer stays for this long. That is longer than usual, but limited, because the pointer may have been there
 * before the toast.
 */
const POINTED_AT_MS = 20_000;

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert };

export function Toaster() {
  const toasts = useToasts();
  const container = useTopModal() ?? document.body;
  const announcements = useAnnouncements();
  const ref = useRef<HTMLDivElement>(null);
  useUncoverFocus(ref, container);
  return createPortal(
    <div ref={ref} className={styles.toaster}>
      <div role="status" aria-atomic={false}>
        {announcements.map(({ id, text }) => (
          <p key={id} className="visually-hidden">
            {text}
          </p>
        ))}
        {cards(toasts.filter(({ type }) => type !== 'error'))}
      </div>
      <div role="alert">{cards(toasts.filter(({ type }) => type === 'error'))}</div>
    </div>,
    container,
  );
}

const cards = (toasts: readonly Toast[]) =>
  toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />);

function ToastCard({ toast }: { toast: Toast }) {
  const t = useT();
  const { id, action, lasts, expires } = toast;
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useEffect(() => {
    if (lasts === null || isFocused) return undefined;
    const timer = setTimeout(() => hideToast(id), isPointedAt ? POINTED_AT_MS : lasts);
    return () => clearTimeout(timer);
  }, [id, lasts, isFocused, isPointedAt]);
  return (
    <div
      className={styles.toast}
      data-type={toast.type}
      onPointerEnter={() => setIsPointedAt(!expires)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={() => setIsFocused(!expires)}
      onBlur={() => setIsFocused(false)}
    >
      <Icon of={ICONS[toast.type]} className={styles.icon} />
      <p className={styles.text}>{toast.text}</p>
      <span className={styles.buttons}>
        {action && (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              action.onSelect();
              hideToast(toast.id);
            }}
          >
            {action.label}
          </button>
        )}
        <IconButton
          label={t('ui.toast.dismiss')}
          icon={X}
          size={18}
          onClick={() => hideToast(toast.id)}
        />
      </span>
    </div>
  );
}
