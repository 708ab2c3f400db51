// What waits to be sent, and what the server refused: one line in the layout, with the list behind it.
import { CircleAlert, CloudUpload } from 'lucide-react';
import { useState } from 'react';
import { type MessageKey, useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { discard, replaceNewer, retry, switchParks } from '#/offline/command-queue/queue.ts';
import { aboutWhat } from '#/offline/command-queue/about.ts';
import { ELSEWHERE, OVERTAKEN, TOO_LATE } from '#/offline/command-queue/rules.ts';
import { type OutboxEntry, useOutbox } from '#/offline/command-queue/state.ts';
import { timeAgo } from '#/core/time-ago.ts';
import { useNow } from '#/core/use-now.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Stars } from '#/ui/stars.tsx';
import styles from './outbox-bar.module.css';

export function OutboxBar() {
  const t = useT();
  const entries = useOutbox();
  const [open, setOpen] = useState(false);
  const refused = entries.filter((entry) => entry.refused !== null).length;
  if (entries.length === 0) return null;
  return (
    <>
      <div className={styles.bar}>
        <Button
          variant="secondary"
          icon={refused > 0 ? CircleAlert : CloudUpload}
          onClick={() => setOpen(true)}
        >
          {refused > 0
            ? t('outbox.refusedCount', { count: refused })
            : t('outbox.waiting', { count: entries.length })}
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

/** What only the person can decide, so that a mere second try has the same end. */
const DECIDED_BY_PERSON: readonly string[] = [ELSEWHERE, OVERTAKEN, TOO_LATE];

function Waiting({ entry }: { entry: OutboxEntry }) {
  const t = useT();
  const language = useLanguage();
  const now = useNow(30_000);
  const { id, deed, refused, queuedAt } = entry;
  const about = aboutWhat(entry, language);
  const queued = timeAgo(new Date(queuedAt).toISOString(), now, LANGUAGES[language].locale);
  return (
    <li className={styles.entry} data-refused={refused !== null}>
      <Icon of={refused === null ? CloudUpload : CircleAlert} className={styles.icon} />
      <div className={styles.words}>
        <strong>
          {t(`outbox.kind.${deed}`)}
          {about && (
            <>
              {' · '}
              <bdi>{about}</bdi>
            </>
          )}
        </strong>
        <span className={styles.state}>
          {refused === null
            ? t('outbox.sentLater')
            : t('outbox.refused', { reason: t(refused as MessageKey) })}
          {' · '}
          {queued}
        </span>
        {refused === OVERTAKEN && <ReviewText args={entry.args} />}
      </div>
      <div className={styles.actions}>
        {refused === ELSEWHERE && (
          <Button onClick={() => void switchParks(id)}>{t('outbox.switch')}</Button>
        )}
        {refused === OVERTAKEN && (
          <Button onClick={() => void replaceNewer(id)}>{t('outbox.replaceNewer')}</Button>
        )}
        {refused !== null && !DECIDED_BY_PERSON.includes(refused) && (
          <Button variant="secondary" onClick={() => void retry(id)}>
            {t('outbox.retry')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => void discard(id)}>
          {t('outbox.discard')}
        </Button>
      </div>
    </li>
  );
}

/** What the review says that did not go: the newer one stands on the park's page. */
function ReviewText({ args }: Pick<OutboxEntry, 'args'>) {
  return (
    <div className={styles.review}>
      <Stars rank={Number(args.p_rank)} />
      {[args.p_title, args.p_content].map(
        (text, index) =>
          typeof text === 'string' &&
          text !== '' && (
            <p key={index} dir="auto">
              {text}
            </p>
          ),
      )}
    </div>
  );
}
