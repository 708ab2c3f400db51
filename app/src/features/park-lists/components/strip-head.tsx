// What stands above the cards of the parks around: what all of them share, and their order.
import { ArrowDownUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { PARK_ORDERS, type ParkOrder } from '#/features/park-lists/park-order.ts';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './strip-head.module.css';

interface StripHeadProps {
  order: ParkOrder;
  onOrder: (order: ParkOrder) => void;
  /** The hour that was chosen instead of now, in words. */
  hour: string | null;
  onNow: () => void;
  /** What all share. */
  children: ReactNode;
}

export function StripHead({ order, onOrder, hour, onNow, children }: StripHeadProps) {
  const t = useT();
  return (
    <div className={styles.head}>
      {hour !== null && (
        <button
          type="button"
          className={styles.hour}
          aria-label={`${hour}, ${t('parks.clock.now')}`}
          onClick={onNow}
        >
          {hour}
          <Icon of={X} size={18} />
        </button>
      )}
      {children}
      <label className={styles.order}>
        <Icon of={ArrowDownUp} size={18} />
        <select
          aria-label={t('parks.list.orderLabel')}
          className={styles.select}
          value={order}
          onChange={({ target }) => onOrder(target.value as ParkOrder)}
        >
          {PARK_ORDERS.map((each) => (
            <option key={each} value={each}>
              {t(`parks.list.sort.${each}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
