// The queue shows the oldest item that no other moderator has claimed. Its buttons have keyboard shortcuts.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  claim,
  claimNext,
  decide,
  decideMany,
  rejectionCode,
  release,
  undo,
} from '#/features/desk/commands/decide.ts';
import { DecisionBar } from '#/features/desk/components/decision-bar.tsx';
import { EmptyQueue } from '#/features/desk/components/empty-queue.tsx';
import { ItemView } from '#/features/desk/components/item-view.tsx';
import { ManySheet } from '#/features/desk/components/many-sheet.tsx';
import { SanctionSheet } from '#/features/desk/components/sanction-sheet.tsx';
import { textOf, useDeskText } from '#/features/desk/desk-text.ts';
import {
  countsQueryOptions,
  type DeskItem,
  type QueueCount,
} from '#/features/desk/queries/desk.ts';
import {
  ALL,
  commandOfKey,
  hasAuthor,
  type QueueCommand,
  type QueueState,
  START,
} from '#/features/desk/queue-state.ts';
import type { DecisionReason } from '../../../../../shared/enums.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { badgeText } from '#/ui/badge.tsx';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { Select } from '#/ui/select.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showError, showSuccess, showToast } from '#/ui/toast.ts';
import styles from './desk.module.css';

/** The interval for refreshing the claim, which lasts ten minutes. */
const RENEW_MS = 4 * 60_000;

/** Releases an item without waiting for the response. If the request fails, the claim expires anyway. */
const releaseSoon = (item: DeskItem | null | undefined): void => {
  if (item) void release(item).catch(() => undefined);
};

function useQueue(keys: boolean) {
  const text = useDeskText();
  const client = useQueryClient();
  const [state, setState] = useState(START);
  const set = (patch: Partial<QueueState>) => setState((now) => ({ ...now, ...patch }));
  const { item, last, type } = state;
  const root = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const hasLeft = useRef(false);

  /** Runs a task unless another one is running, and shows its error. */
  const run = async (task: () => Promise<void>) => {
    if (state.busy) return;
    set({ busy: true, failure: null });
    try {
      await task().catch(async (error: unknown) => {
        const code = rejectionCode(error);
        if (code === 'item_changed' && item) {
          showToast(text.queue.changed);
          return show(await claim(item.type, item.id));
        }
        if (code !== 'already_decided' && code !== 'claimed_by_other') throw error;
        showToast(code === 'already_decided' ? text.queue.decided : text.queue.taken);
        await advance(null);
      });
    } catch (error) {
      if (item === undefined) set({ failure: error });
      else showError(error);
    } finally {
      set({ busy: false });
    }
  };
  const show = (next: DeskItem | null) => {
    if (hasLeft.current) return releaseSoon(next);
    set({ item: next, asking: null });
    void client.invalidateQueries(countsQueryOptions());
  };
  const advance = async (after: string | null, of = type) => {
    const types = of === ALL ? null : [of];
    // After the last item, the queue starts again at the first.
    const next = (await claimNext(types, after)) ?? (after ? await claimNext(types, null) : null);
    if (next !== null || of === ALL) return show(next);
    // After the last item of the selected type, select all types again, because the filter would hide other pending items.
    set({ type: ALL });
    await advance(null, ALL);
  };

  const decideOpen = (reason: DecisionReason | null) =>
    run(async () => {
      if (!item) return;
      set({ last: await decide(item, reason) });
      showSuccess(reason === null ? text.acts.approved : text.acts.rejected);
      await advance(null);
    });
  const decideAll = (ids: string[], reason: DecisionReason | null) =>
    run(async () => {
      if (item) await release(item);
      await decideMany(type, ids, reason);
      await advance(null);
    });
  const skip = () =>
    run(async () => {
      if (!item) return;
      await release(item);
      await advance(item.since);
    });
  const goTo = (of: string) =>
    run(async () => {
      if (item) await release(item);
      await advance(null, of);
    });
  const undoLast = () =>
    run(async () => {
      if (last === null) return;
      const undone = await undo(last);
      set({ last: null });
      if (item) await release(item);
      showToast(undone ? text.acts.undone : text.acts.notUndone);
      await advance(null);
    });
  const ask = (asking: QueueState['asking']) => set({ asking });
  const sanctioned = (decision: string) => {
    set({ last: decision, asking: null });
    // A sanction on a reported user also decides the report. Other items still need their own decision.
    if (item?.type === 'user') void run(() => advance(null));
  };
  const execute = (command: QueueCommand) => {
    if (command.type === 'decide') void decideOpen(command.reason);
    else if (command.type === 'skip') void skip();
    else if (command.type === 'undo') void undoLast();
    else if (command.type === 'close') ask(null);
    else ask(item?.type === 'user' ? 'sanction' : 'reason');
  };

  const start = useEffectEvent(() => void goTo(type));
  const renewClaim = useEffectEvent(() => {
    if (item) void claim(item.type, item.id).catch(() => undefined);
  });
  const leave = useEffectEvent(() => releaseSoon(item));
  useEffect(() => {
    hasLeft.current = false;
    const first = setTimeout(() => start());
    const renewal = setInterval(() => renewClaim(), RENEW_MS);
    return () => {
      clearTimeout(first);
      clearInterval(renewal);
      hasLeft.current = true;
      leave();
    };
  }, []);

  // Focus the heading of each new item, so that screen readers announce it and keyboard shortcuts work.
  useEffect(() => {
    if (item !== undefined)
      (shown.current?.querySelector('h2') ?? shown.current)?.focus({ preventScroll: true });
  }, [item]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const typing =
      target instanceof Element &&
      target.closest('textarea, select, input:not([type="radio"]), dialog');
    if (!keys || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const command = commandOfKey(event.code, state);
    if (!command) return;
    execute(command);
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    const here = root.current;
    here?.addEventListener('keydown', listen);
    return () => here?.removeEventListener('keydown', listen);
  }, []);

  const chooseType = (of: string) => {
    set({ type: of });
    void goTo(of);
  };
  return { state, root, shown, execute, ask, sanctioned, decideAll, chooseType, goTo };
}

export function QueueView({ counts, waiting }: { counts: readonly QueueCount[]; waiting: number }) {
  const text = useDeskText();
  const [keys, setKeys] = useState(readLocal('deskKeys') === null);
  const { state, root, shown, execute, ask, sanctioned, decideAll, chooseType, goTo } =
    useQueue(keys);
  const { type, item, last, busy, failure, asking } = state;
  const isUnderWay = busy || (item === undefined && failure === null);
  const ofType = counts.find((one) => one.type === type)?.waiting ?? 0;
  return (
    <div ref={root} className={styles.stack}>
      {counts.length > 1 && (
        <Select
          label={text.views.queue}
          labelHidden
          options={[
            { value: ALL, label: `${text.queue.all} ${badgeText(waiting)}` },
            ...counts.map((one) => ({
              value: one.type,
              label: `${textOf(text.types, one.type)} ${badgeText(one.waiting)}`,
            })),
          ]}
          value={type}
          disabled={busy}
          onChange={chooseType}
        />
      )}
      {ofType > 1 && type !== 'user' && (
        <div>
          <Button variant="secondary" busy={busy} onClick={() => ask('many')}>
            {text.queue.many}
          </Button>
        </div>
      )}
      <div ref={shown} tabIndex={-1} aria-busy={isUnderWay} className={styles.item}>
        {item === undefined && failure !== null ? (
          <FetchFailed error={failure} onRetry={() => void goTo(type)} />
        ) : item === undefined ? (
          <Skeleton height="20rem" />
        ) : item === null ? (
          <EmptyQueue hasOthers={counts.some((one) => one.others > 0)} />
        ) : (
          <Card as="article">
            <ItemView key={`${item.type} ${item.id}`} item={item} />
            {hasAuthor(item) && (
              <Button variant="quiet" onClick={() => ask('sanction')}>
                {text.acts.act}
              </Button>
            )}
          </Card>
        )}
      </div>
      {(item || last !== null) && (
        <DecisionBar
          state={state}
          onCommand={execute}
          keys={keys}
          onKeys={(on) => {
            writeLocal('deskKeys', on ? null : 'off');
            setKeys(on);
          }}
        />
      )}
      {asking === 'sanction' && item && (
        <SanctionSheet about={item} onClose={() => ask(null)} onDone={sanctioned} />
      )}
      {asking === 'many' && (
        <ManySheet
          type={type}
          reasons={item?.reasons ?? []}
          onClose={() => ask(null)}
          onDecide={(ids, reason) => void decideAll(ids, reason)}
        />
      )}
    </div>
  );
}
