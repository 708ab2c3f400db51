// A button that opens the list of commands that are queued or were rejected.
import { CircleAlert, CloudUpload } from 'lucide-react';
import { useState } from 'react';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { queryClient } from '#/data/query-client.ts';
import { cachedParkName } from '#/entities/parks/cached-park-name.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { useDefinition } from '#/features/queued-commands/use-definition.ts';
import type { Language } from '#/i18n/languages.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import {
  type QueuedCommand,
  useQueuedCommands,
  useQueueCounts,
} from '#/offline/command-queue/queued-commands.ts';
import { commandQueue } from '#/offline/command-queue/queue.ts';
import { TOO_LATE } from '#/offline/command-queue/queue-rules.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './queued-bar.module.css';

export default function QueuedBar() {
  const t = useT();
  const commands = useQueuedCommands();
  const [open, setOpen] = useState(false);
  const { queued, rejected, sent } = useQueueCounts();
  if (commands.length === 0) return null;
  return (
    <>
      <div className={styles.bar}>
        <Button
          variant="secondary"
          icon={rejected > 0 ? CircleAlert : CloudUpload}
          onClick={() => setOpen(true)}
        >
          {[
            queued > 0 && t('queuedCommands.count', { count: queued }),
            rejected > 0 && t('queuedCommands.rejectedCount', { count: rejected }),
            sent > 0 && t('queuedCommands.sentCount', { count: sent }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('queuedCommands.title')}>
        <ul className="grid-3">
          {commands.map((queued) => (
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
  const subject = isReadable && subjectName(input as Subject, language);
  const { id, queuedAt } = queued;
  const { rejection } = queued;
  const decision =
    rejection !== null && isReadable ? command.queue?.decisions?.[rejection] : undefined;
  const preview = decision?.preview?.(input);
  return (
    <li className={styles.entry} data-rejected={rejection !== null}>
      <Icon of={rejection === null ? CloudUpload : CircleAlert} className={styles.icon} />
      <div className={styles.text}>
        <strong>
          {command && t(`queuedCommands.kind.${command.name}`)}
          {subject && (
            <>
              {' · '}
              <bdi>{subject}</bdi>
            </>
          )}
        </strong>
        <span className="small-note">
          {rejection === null
            ? t('queuedCommands.sentLater')
            : t('queuedCommands.rejected', { reason: t(rejection) })}
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
          <Button onClick={() => void commandQueue.retry(id, decision.change)}>
            {t(decision.label)}
          </Button>
        )}
        {command && rejection !== null && !decision && rejection !== TOO_LATE && (
          <Button variant="secondary" onClick={() => void commandQueue.retry(id)}>
            {t('ui.failed.tryAgain')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => void commandQueue.discard(queued)}>
          {t('queuedCommands.discard')}
        </Button>
      </div>
    </li>
  );
}

/** The park or user that a command is about. */
interface Subject {
  parkId?: number;
  userId?: string;
}

/** The name of the park or user, if it is cached. */
function subjectName({ parkId, userId }: Subject, language: Language): string | null {
  if (userId !== undefined)
    return queryClient.getQueryData<{ name: string } | null>(userKeys.page(userId))?.name ?? null;
  return parkId === undefined ? null : cachedParkName(parkId, language);
}
