// What waits to be sent, and what the server refused: one line in the layout, with the list behind it.
import { useState } from 'react';
import { type MessageKey, useT } from '#/i18n/i18n.ts';
import { discard, retry } from '#/lib/outbox.ts';
import { type OutboxEntry, useOutbox } from '#/lib/outbox-state.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './outbox-bar.module.css';

export function OutboxBar() {
  const t = useT();
  const entries = useOutbox();
  const [open, setOpen] = useState(false);
  if (entries.length === 0) return null;
  return (
    <>
      <div className={styles.bar}>
        <Button variant="secondary" onClick={() => setOpen(true)}>
          {t('outbox.waiting', { count: entries.length })}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('outbox.title')}>
        <ul className={styles.list}>
          {entries.map((entry) => (
            <Waiting key={entry.id} entry={entry} />
          ))}
        </ul>
      </Sheet>
    </>
  );
}

function Waiting({ entry }: { entry: OutboxEntry }) {
  const t = useT();
  return (
    <li className={styles.entry}>
      <strong>{t(`outbox.kind.${entry.rpc}`)}</strong>
      <span>
        {entry.refused
          ? t('outbox.refused', { reason: t(entry.refused as MessageKey) })
          : t('outbox.sentLater')}
      </span>
      <span className={styles.actions}>
        {entry.refused && (
          <Button variant="secondary" onClick={() => void retry(entry.id)}>
            {t('outbox.retry')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => void discard(entry.id)}>
          {t('outbox.discard')}
        </Button>
      </span>
    </li>
  );
}
