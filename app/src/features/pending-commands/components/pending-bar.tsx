// What is not sent yet, and what the server refused: one line in the layout, with the list behind it.
import { CircleAlert, CloudUpload } from 'lucide-react';
import { useState } from 'react';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { subjectName } from '#/offline/subject-name.ts';
import { type Definition, useDefinition } from '#/features/pending-commands/use-definition.ts';
import { type MessageKey, useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import type { Preview, Subject } from '#/offline/command-queue/define-command.ts';
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
        <ul className={styles.list}>
          {pending.map((queued) => (
            <Row key={queued.id} queued={queued} />
          ))}
        </ul>
      </Sheet>
    </>
  );
}

/** The name of what it is about. */
function useSubject(definition: Definition | null): string | null {
  const language = useLanguage();
  if (!definition || definition.input === undefined) return null;
  const { command, input } = definition;
  return subjectName(command.about?.(input) ?? (input as Subject), language);
}

function Row({ queued }: { queued: QueuedCommand }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(30_000);
  const definition = useDefinition(queued);
  const subject = useSubject(definition);
  const { id, queuedAt } = queued;
  const refused = queued.refused as MessageKey | null;
  const isReadable = definition?.input !== undefined;
  const decision =
    refused !== null && isReadable ? definition.command.decisions?.[refused] : undefined;
  const preview = decision && definition?.command.preview?.(definition.input);
  return (
    <li className={styles.entry} data-refused={refused !== null}>
      <Icon of={refused === null ? CloudUpload : CircleAlert} className={styles.icon} />
      <div className={styles.words}>
        <strong>
          {definition && t(`pendingCommands.kind.${definition.command.name}`)}
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
        {preview && <Written {...preview} />}
      </div>
      <div className={styles.actions}>
        {decision && (
          <Button onClick={() => void retry(id, decision.change)}>{t(decision.label)}</Button>
        )}
        {definition && refused !== null && !decision && refused !== TOO_LATE && (
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

/** What the person wrote that was not sent. */
function Written({ stars, texts }: Preview) {
  return (
    <div className={styles.review}>
      <Stars rank={stars} />
      {texts
        .filter((text) => text !== '')
        .map((text, index) => (
          <p key={index} dir="auto">
            {text}
          </p>
        ))}
    </div>
  );
}
