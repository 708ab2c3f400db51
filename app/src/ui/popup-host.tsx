// Shows the notification pop-up of popup.ts.
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import { hidePopup, type Popup, usePopup } from '#/ui/popup.ts';
import { useModal } from '#/ui/use-modal.ts';
import styles from './popup-host.module.css';

export function PopupHost() {
  const popup = usePopup();
  return popup && <OpenPopup key={popup.id} popup={popup} />;
}

function OpenPopup({ popup }: { popup: Popup }) {
  const t = useT();
  const ref = useModal(hidePopup);
  const text = popup.text ?? t('ui.popup.goodBoy');
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-label={text}
      className={styles.popup}
      data-kind={popup.kind}
      onClick={hidePopup}
    >
      {popup.picture ?? (
        <span className={styles.disc}>
          <Icon of={popup.kind === 'success' ? CircleCheck : CircleAlert} size={40} />
        </span>
      )}
      <p className={styles.text}>{text}</p>
    </dialog>
  );
}
