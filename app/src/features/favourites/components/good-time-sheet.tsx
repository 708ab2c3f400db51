// Asks in which hours the user wants to be notified of a good time at a favourite park.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DAY, type GoodHours } from '#/features/favourites/good-hours.ts';
import { goodTimeQueryOptions, saveGoodTime } from '#/features/favourites/queries/good-time.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { Select } from '#/ui/select.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showToast } from '#/ui/toast.ts';
import { useTask } from '#/ui/use-task.ts';
import { formatHour } from '../../../../../shared/park-time.ts';

/** The hours after work, when most owners go. */
const DEFAULT: GoodHours = { from: 16, to: 20 };

interface GoodTimeSheetProps {
  parkId: number;
  onClose: () => void;
  /** The offer to enable push notifications. */
  children: ReactNode;
}

export default function GoodTimeSheet({ parkId, onClose, children }: GoodTimeSheetProps) {
  const t = useT();
  const locale = useLocale();
  const queryClient = useQueryClient();
  const query = goodTimeQueryOptions(parkId);
  const { data: saved, error, refetch } = useQuery(query);
  const [chosen, setChosen] = useState<GoodHours | null>(null);
  const { busy, run } = useTask<'save' | 'off'>();
  const { from, to } = chosen ?? saved ?? DEFAULT;
  const save = async (hours: GoodHours | null) => {
    await saveGoodTime(parkId, hours);
    queryClient.setQueryData(query.queryKey, hours);
    if (hours) showToast(t('favourites.goodTime.saved'));
    onClose();
  };
  const hours = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, after) => ({
      value: String(first + after),
      label: formatHour(first + after, locale),
    }));
  const footer = saved !== undefined && (
    <>
      {saved && (
        <Button
          variant="secondary"
          busy={busy === 'off'}
          onClick={() => run('off', () => save(null))}
        >
          {t('ui.turnOff')}
        </Button>
      )}
      <Button busy={busy === 'save'} onClick={() => run('save', () => save({ from, to }))}>
        {t('ui.save')}
      </Button>
    </>
  );
  return (
    <Sheet title={t('favourites.goodTime.title')} size="small" onClose={onClose} footer={footer}>
      {saved === undefined ? (
        <Loading error={error} refetch={refetch} height="8rem" />
      ) : (
        <div className="grid-3">
          <p>{t('favourites.goodTime.text')}</p>
          <Select
            label={t('notifications.settings.quietFrom')}
            options={hours(DAY.from, DAY.to - 1)}
            value={String(from)}
            onChange={(hour) =>
              setChosen({ from: Number(hour), to: Math.max(to, Number(hour) + 1) })
            }
          />
          <Select
            label={t('notifications.settings.quietTo')}
            options={hours(from + 1, DAY.to)}
            value={String(to)}
            onChange={(hour) => setChosen({ from, to: Number(hour) })}
          />
          {children}
        </div>
      )}
    </Sheet>
  );
}
