// Makes one decision about several items of a type, such as the parks of an import.
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { queueQueryOptions } from '#/features/desk/queries/desk.ts';
import type { DecisionReason } from '../../../../../shared/enums.ts';
import { Button } from '#/ui/button.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './desk.module.css';

export function ManySheet({
  type,
  reasons,
  onClose,
  onDecide,
}: {
  type: string;
  reasons: readonly DecisionReason[];
  onClose: () => void;
  onDecide: (ids: string[], reason: DecisionReason | null) => void;
}) {
  const text = useDeskText();
  const rejecting = useId();
  const oldest = useQuery(queueQueryOptions(type));
  const ids = oldest.data?.map(({ id }) => id);
  return (
    <Sheet onClose={onClose} title={`${textOf(text.types, type)}: ${text.queue.many}`}>
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
      ) : (
        <Loading error={oldest.error} refetch={oldest.refetch} height="10rem" />
      )}
    </Sheet>
  );
}
