// A one-line notice if no park matches the filters or is on the visible map.
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import styles from './parks-notice.module.css';

interface ParksNoticeProps {
  problem: 'noneMatch' | 'noneHere';
  onClearFilters: () => void;
  onNearest: () => void;
}

export default function ParksNotice({ problem, onClearFilters, onNearest }: ParksNoticeProps) {
  const t = useT();
  const isFilter = problem === 'noneMatch';
  return (
    <div className={styles.notice} role="status">
      <span className={styles.text}>{t(isFilter ? 'home.noneFit' : 'home.noneHere')}</span>
      <Button variant="quiet" onClick={isFilter ? onClearFilters : onNearest}>
        {t(isFilter ? 'parks.list.clearFilters' : 'home.nearest')}
      </Button>
    </div>
  );
}
