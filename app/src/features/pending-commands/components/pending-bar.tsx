// What is not sent yet, and what the server refused: one line in the layout, with the list behind it.
import { CircleAlert, CloudUpload } from 'lucide-react';
import { useState } from 'react';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { subjectName } from '#/offline/subject-name.ts';
import { useDefinition } from '#/features/pending-commands/use-definition.ts';
import { type MessageKey, useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import type { Subject } from '#/offline/command-queue/define-command.ts';
import {
  type QueuedCommand,
  usePending,
  usePendingCounts,
} from '#/offline/command-queue/pending.ts';
import { discard, retry } from '#/offline/command-queue/queue.ts';
import { TOO_LATE } from '#/offline/command-queue/queue-rules.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './pending-bar.module.css';

export default function PendingBar() {
  const t = useT();
  const pending = usePending();
  const [open, setOpen] = useState(false);
  const { waiting, refused, sent } = usePendingCounts();
  if (pending.length === 0) return null;
  return (
    <>
      <div className={styles.bar}>
        <Button
          variant="secondary"
          icon={refused > 0 ? CircleAlert : CloudUpload}
          onClick={() => setOpen(true)}
        >
          {[
            waiting > 0 && t('pendingCommands.pending', { count: waiting }),
            refused > 0 && t('pendingCommands.refusedCount', { count: refused }),
            sent > 0 && t('pendingCommands.sentCount', { count: sent }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('pendingCommands.title')}>
        <ul className="grid-3">
          {pending.map((queued) => (
            <Row key={queued.id} queued={queued} />
          ))}
        </ul>
      </Sheet>
    </>
  );
}

function Row({ queued }: { queued: QueuedCommand }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(30_000);
  const language = useLanguage();
  const { command, input } = useDefinition(queued) ?? {};
  const isReadable = command !== undefined && input !== undefined;
  const subject = isReadable && subjectName(command.about?.(input) ?? (input as Subject), language);
  const { id, queuedAt } = queued;
  const refused = queued.refused as MessageKey | null;
  const decision = refused !== null && isReadable ? command.decisions?.[refused] : undefined;
  const preview = decision && command?.preview?.(input);
  return (
    <li className={styles.entry} data-refused={refused !== null}>
      <Icon of={refused === null ? CloudUpload : CircleAlert} className={styles.icon} />
      <div className={styles.words}>
        <strong>
          {command && t(`pendingCommands.kind.${command.name}`)}
          {subject && (
            <>
              {' · '}
              <bdi>{subject}</bdi>
            </>
          )}
        </strong>
        <span className="small-note">
          {refused === null
            ? t('pendingCommands.sentLater')
            : t('pendingCommands.refused', { reason: t(refused) })}
          {' · '}
          {timeAgo(new Date(queuedAt).toISOString(), now, locale)}
        </span>
        {preview && (
          <div className={styles.review}>
            <Stars rank={preview.stars} />
            {preview.texts.filter(Boolean).map((text, index) => (
              <p key={index} dir="auto">
                {text}
              </p>
            ))}
          </div>
        )}
      </div>
      <div className={styles.actions}>
        {decision && (
          <Button onClick={() => void retry(id, decision.change)}>{t(decision.label)}</Button>
        )}
        {command && refused !== null && !decision && refused !== TOO_LATE && (
          <Button variant="secondary" onClick={() => void retry(id)}>
            {t('ui.failed.tryAgain')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => void discard(queued)}>
          {t('pendingCommands.discard')}
        </Button>
      </div>
    </li>
  );
}
