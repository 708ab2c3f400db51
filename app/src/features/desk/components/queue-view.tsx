// The queue: the oldest item that no other moderator has, and four buttons under the thumb, which on a desktop are keys, too.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, EyeOff, SkipForward, Undo2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import {
  claim,
  claimNext,
  decide,
  decideMany,
  refusalCode,
  release,
  undo,
} from '#/features/desk/commands/decide.ts';
import { ItemView } from '#/features/desk/components/item-view.tsx';
import { MeasureSheet } from '#/features/desk/components/measure-sheet.tsx';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import {
  deskKeys,
  queueQueryOptions,
  type DeskItem,
  type QueueCount,
  type Reason,
} from '#/features/desk/queries/desk.ts';
import { errorText } from '#/i18n/errors.ts';
import { badgeText } from '#/ui/badge-text.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Select } from '#/ui/select.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showToast } from '#/ui/toast.ts';
import styles from './desk.module.css';

/** A claim lasts ten minutes. */
const RENEW_MS = 4 * 60_000;
/** What was reported, where approving means to leave it. */
const REPORTED = new Set(['review', 'photo_report', 'person', 'hazard']);
/** What somebody is behind whom a moderator may act on. */
const HAS_AUTHOR = new Set(['review', 'photo', 'photo_report', 'person', 'park', 'correction']);
const ALL = 'all';

/** For whoever does not wait for it: a claim ends by itself, too. */
const letGo = (item: DeskItem | null | undefined): void => {
  if (item) void release(item).catch(() => undefined);
};

export function QueueView({ counts, waiting }: { counts: readonly QueueCount[]; waiting: number }) {
  const text = useDeskText();
  const client = useQueryClient();
  const [kind, setKind] = useState(ALL);
  /** Undefined while it is fetched, null where nothing is left. */
  const [item, setItem] = useState<DeskItem | null | undefined>(undefined);
  const [last, setLast] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Why there is not even a first item. */
  const [failure, setFailure] = useState<unknown>(null);
  const [asking, setAsking] = useState<'reason' | 'measure' | 'many' | null>(null);
  const heading = useRef<HTMLDivElement>(null);

  /** One thing at a time, and what was refused is said. */
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await work().catch(async (error: unknown) => {
        const code = refusalCode(error);
        if (code !== 'already_decided' && code !== 'claimed_by_other') throw error;
        showToast(code === 'already_decided' ? text.queue.decided : text.queue.taken);
        await advance(null);
      });
    } catch (error) {
      if (item === undefined) setFailure(error);
      else showToast(errorText(error), { kind: 'error' });
    } finally {
      setBusy(false);
    }
  };

  const hasLeft = useRef(false);
  const show = (next: DeskItem | null) => {
    if (hasLeft.current) {
      letGo(next);
      return;
    }
    setAsking(null);
    setItem(next);
    heading.current?.focus({ preventScroll: true });
    void client.invalidateQueries({ queryKey: deskKeys.counts });
  };
  const advance = async (after: string | null, of = kind) => {
    const wanted = of === ALL ? null : [of];
    // Behind the last one it begins again.
    show((await claimNext(wanted, after)) ?? (after ? await claimNext(wanted, null) : null));
  };

  const decideNow = (reason: Reason | null) =>
    run(async () => {
      if (!item) return;
      const decision = await decide(item, reason);
      setLast(decision);
      showToast(reason === null ? text.acts.approved : text.acts.rejected, { kind: 'success' });
      await advance(null);
    });
  const skip = () =>
    run(async () => {
      if (!item) return;
      await release(item);
      await advance(item.since);
    });
  /** What is open is for others, too, once somebody goes elsewhere. */
  const goTo = (of: string) =>
    run(async () => {
      if (item) await release(item);
      await advance(null, of);
    });
  const undoLast = () =>
    run(async () => {
      if (last === null) return;
      const undone = await undo(last);
      setLast(null);
      if (item) await release(item);
      showToast(undone ? text.acts.undone : text.acts.notUndone);
      await advance(null);
    });
  const askReason = () => setAsking(item?.kind === 'person' ? 'measure' : 'reason');

  const start = useEffectEvent(() => void goTo(kind));
  useEffect(() => {
    const timer = setTimeout(() => start());
    return () => clearTimeout(timer);
  }, []);
  const keep = useEffectEvent(() => {
    if (item) void claim(item.kind, item.id).catch(() => undefined);
  });
  useEffect(() => {
    const timer = setInterval(() => keep(), RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  const leave = useEffectEvent(() => letGo(item));
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      leave();
    };
  }, []);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, code } = event;
    const typing =
      target instanceof Element &&
      target.closest('textarea, select, input:not([type="radio"]), dialog');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !item) return;
    // By the place of the key: with a Hebrew or Arabic layout the letters are others.
    const reason =
      asking === 'reason' && /^Digit[1-9]$/.test(code)
        ? item.reasons[Number(code.at(-1)) - 1]
        : undefined;
    if (reason) void decideNow(reason);
    else if (code === 'KeyA') void decideNow(null);
    else if (code === 'KeyR') askReason();
    else if (code === 'KeyN') void skip();
    else if (code === 'KeyU') void undoLast();
    else if (code === 'Escape' && asking === 'reason') setAsking(null);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const isUnderWay = busy || (item === undefined && failure === null);
  const reported = item ? REPORTED.has(item.kind) : false;
  const ofKind = counts.find((one) => one.kind === kind)?.waiting ?? 0;
  return (
    <div className={styles.stack}>
      {counts.length > 1 && (
        <Select
          label={text.views.queue}
          labelHidden
          options={[
            { value: ALL, label: `${text.queue.all} ${badgeText(waiting)}` },
            ...counts.map((one) => ({
              value: one.kind,
              label: `${textOf(text.kinds, one.kind)} ${badgeText(one.waiting)}`,
            })),
          ]}
          value={kind}
          disabled={busy}
          onChange={(of) => {
            setKind(of);
            void goTo(of);
          }}
        />
      )}
      {ofKind > 1 && kind !== 'person' && (
        <div>
          <Button variant="secondary" busy={busy} onClick={() => setAsking('many')}>
            {text.queue.many}
          </Button>
        </div>
      )}
      <div
        ref={heading}
        tabIndex={-1}
        aria-live="polite"
        aria-busy={isUnderWay}
        className={styles.item}
      >
        {item === undefined && failure !== null ? (
          <FetchFailed error={failure} onRetry={() => void goTo(kind)} />
        ) : item === undefined ? (
          <Skeleton height="20rem" />
        ) : item === null ? (
          <EmptyState
            pose="sleeping"
            text={counts.some((one) => one.others > 0) ? text.queue.others : text.queue.empty}
          />
        ) : (
          <Card as="article">
            <ItemView item={item} />
            {HAS_AUTHOR.has(item.kind) && item.kind !== 'person' && (
              <Button variant="quiet" onClick={() => setAsking('measure')}>
                {text.acts.act}
              </Button>
            )}
          </Card>
        )}
      </div>
      {/* Where nothing waits there is nothing to do but to take the last decision back. */}
      {(item || last !== null) && (
        <div className={styles.bar}>
          {asking === 'reason' && item && (
            <div role="group" aria-label={text.acts.why} className={styles.reasons}>
              {item.reasons.map((reason, index) => (
                <Button key={reason} variant="secondary" onClick={() => void decideNow(reason)}>
                  <kbd className={styles.key}>{index + 1}</kbd> {text.reasons[reason]}
                </Button>
              ))}
            </div>
          )}
          <div className={styles.acts}>
            <Button
              variant="secondary"
              icon={Undo2}
              busy={busy}
              disabled={last === null}
              onClick={() => void undoLast()}
            >
              {text.acts.undo}
            </Button>
            {item && (
              <>
                <Button
                  variant="secondary"
                  icon={SkipForward}
                  directionalIcon
                  busy={busy}
                  onClick={() => void skip()}
                >
                  {text.acts.next}
                </Button>
                <Button
                  variant="danger"
                  icon={reported ? EyeOff : X}
                  aria-expanded={asking === 'reason'}
                  busy={busy}
                  onClick={askReason}
                >
                  {item.kind === 'person'
                    ? text.measures.what
                    : reported
                      ? text.acts.hide
                      : text.acts.reject}
                </Button>
                <Button icon={Check} busy={busy} onClick={() => void decideNow(null)}>
                  {reported ? text.acts.keep : text.acts.approve}
                </Button>
              </>
            )}
          </div>
          {item && <p className={styles.keys}>{text.acts.keys}</p>}
        </div>
      )}
      {asking === 'measure' && item && (
        <MeasureSheet
          about={item}
          onClose={() => setAsking(null)}
          onDone={(decision) => {
            setLast(decision);
            setAsking(null);
            // A reported person is decided by it; what somebody wrote still waits.
            if (item.kind === 'person') void run(() => advance(null));
          }}
        />
      )}
      {asking === 'many' && (
        <ManySheet
          kind={kind}
          reasons={item?.reasons ?? []}
          onClose={() => setAsking(null)}
          onDecide={(ids, reason) =>
            void run(async () => {
              if (item) await release(item);
              await decideMany(kind, ids, reason);
              await advance(null);
            })
          }
        />
      )}
    </div>
  );
}

/** One decision about many items, such as the parks of an import. */
function ManySheet({
  kind,
  reasons,
  onClose,
  onDecide,
}: {
  kind: string;
  reasons: readonly Reason[];
  onClose: () => void;
  onDecide: (ids: string[], reason: Reason | null) => void;
}) {
  const text = useDeskText();
  const rejecting = useId();
  const oldest = useQuery(queueQueryOptions(kind));
  const ids = oldest.data?.map(({ id }) => id);
  return (
    <Sheet open onClose={onClose} title={`${textOf(text.kinds, kind)}: ${text.queue.many}`}>
      {ids ? (
        <div className={styles.stack}>
          <p>{fill(text.queue.manyAbout, { count: ids.length })}</p>
          <Button wide icon={Check} onClick={() => onDecide(ids, null)}>
            {text.acts.approve}
          </Button>
          <div role="group" aria-labelledby={rejecting} className={styles.stack}>
            <h3 id={rejecting} className={styles.label}>
              {text.acts.reject}
            </h3>
            {reasons.map((reason) => (
              <Button key={reason} wide variant="secondary" onClick={() => onDecide(ids, reason)}>
                {text.reasons[reason]}
              </Button>
            ))}
          </div>
        </div>
      ) : oldest.isError ? (
        <FetchFailed error={oldest.error} onRetry={() => void oldest.refetch()} />
      ) : (
        <Skeleton height="10rem" />
      )}
    </Sheet>
  );
}
