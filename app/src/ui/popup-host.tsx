// Renders the notification pop-up of popup.ts above everything; the focus does not move.
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import { hidePopup, type Popup, usePopup } from '#/ui/popup.ts';
import { announce } from '#/ui/announcements.ts';
import { useTopModal } from '#/ui/modals.ts';
import styles from './popup-host.module.css';

export function PopupHost() {
  const popup = usePopup();
  const container = useTopModal() ?? document.body;
  return popup && createPortal(<OpenPopup key={popup.id} popup={popup} />, container);
}

function OpenPopup({ popup }: { popup: Popup }) {
  const t = useT();
  const text = popup.text ?? t('ui.popup.goodBoy');
  useEffect(() => announce(text), [text]);
  return (
    <div className={styles.backdrop} aria-hidden data-popup={text} onClick={hidePopup}>
      <div className={styles.popup} data-type={popup.type}>
        {popup.picture ?? (
          <span className={styles.disc}>
            <Icon of={popup.type === 'success' ? CircleCheck : CircleAlert} size={40} />
          </span>
        )}
        <p className={styles.text}>{text}</p>
      </div>
    </div>
  );
}
