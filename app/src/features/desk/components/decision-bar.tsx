// The buttons of a desk item: undo, next, reject with a reason, approve. Keyboard shortcuts do the same.
import { Check, EyeOff, SkipForward, Undo2, X } from 'lucide-react';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { isReported, type QueueCommand, type QueueState } from '#/features/desk/queue-state.ts';
import { Button } from '#/ui/button.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import styles from './desk.module.css';

interface DecisionBarProps {
  state: QueueState;
  onCommand: (command: QueueCommand) => void;
  /** True if single-letter shortcuts are enabled. */
  keys: boolean;
  onKeys: (on: boolean) => void;
}

export function DecisionBar({
  state: { item, last, busy, asking },
  onCommand,
  keys,
  onKeys,
}: DecisionBarProps) {
  const text = useDeskText();
  const reported = item ? isReported(item) : false;
  return (
    <div className={styles.bar} data-bottom-buttons>
      {asking === 'reason' && item && (
        <div role="group" aria-label={text.acts.why} className={styles.reasons}>
          {item.reasons.map((reason, index) => (
            <Button
              key={reason}
              variant="secondary"
              onClick={() => onCommand({ type: 'decide', reason })}
            >
              <kbd className={styles.key}>{index + 1}</kbd> {text.reasons[reason]}
            </Button>
          ))}
        </div>
      )}
      <div className={styles.actions}>
        <Button
          variant="secondary"
          icon={Undo2}
          busy={busy}
          disabled={last === null}
          onClick={() => onCommand({ type: 'undo' })}
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
              onClick={() => onCommand({ type: 'skip' })}
            >
              {text.acts.next}
            </Button>
            <Button
              variant="danger"
              icon={reported ? EyeOff : X}
              aria-expanded={asking === 'reason'}
              busy={busy}
              onClick={() => onCommand({ type: 'ask' })}
            >
              {item.type === 'user'
                ? text.sanctions.what
                : reported
                  ? text.acts.hide
                  : text.acts.reject}
            </Button>
            <Button
              icon={Check}
              busy={busy}
              onClick={() => onCommand({ type: 'decide', reason: null })}
            >
              {reported ? text.acts.keep : text.acts.approve}
            </Button>
          </>
        )}
      </div>
      {item && (
        <Switch
          className={styles.keys}
          label={text.acts.keys}
          hint={text.acts.keysHint}
          checked={keys}
          onChange={onKeys}
        />
      )}
    </div>
  );
}
