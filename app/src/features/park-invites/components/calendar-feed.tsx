// Lets a calendar app subscribe to the user's meetings with a secret URL, which is shown once and can be replaced or disabled.
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Copy } from 'lucide-react';
import { useState } from 'react';
import {
  useEndCalendarFeed,
  useMakeCalendarFeed,
} from '#/features/park-invites/commands/calendar-feed.ts';
import { calendarFeedQueryOptions } from '#/features/park-invites/queries/calendar-feed.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Button, ButtonAnchor } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { copyWithToast } from '#/ui/share-text.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './calendar-feed.module.css';

export function CalendarFeed() {
  const t = useT();
  const locale = useLocale();
  const { data: since, error, refetch } = useQuery(calendarFeedQueryOptions());
  const make = useMakeCalendarFeed();
  const end = useEndCalendarFeed();
  const [confirming, setConfirming] = useState<'again' | 'off' | null>(null);
  const done = () => setConfirming(null);
  const makeOne = () => make.mutate(undefined, { onError: showError, onSettled: done });
  const endIt = () =>
    end.mutate(undefined, {
      onSuccess: () => {
        make.reset();
        showSuccess(t('parkInvites.calendar.ended'));
      },
      onError: showError,
      onSettled: done,
    });
  return (
    <Card as="section" className="column-2">
      <h2 className="text-3">{t('parkInvites.calendar.title')}</h2>
      <p className="note">{t('parkInvites.calendar.text')}</p>
      {make.data && <Address address={make.data} />}
      {since === undefined ? (
        <Loading error={error} refetch={refetch} height="3rem" />
      ) : since === null ? (
        <div className="wrap-2">
          <Button variant="secondary" icon={CalendarPlus} busy={make.isPending} onClick={makeOne}>
            {t('parkInvites.calendar.make')}
          </Button>
        </div>
      ) : (
        <>
          <p className="note">
            {t('parkInvites.calendar.since', {
              date: new Intl.DateTimeFormat(locale, DAY).format(new Date(since)),
            })}
          </p>
          <div className="wrap-2">
            <Button variant="quiet" onClick={() => setConfirming('again')}>
              {t('parkInvites.calendar.again')}
            </Button>
            <Button variant="quiet" onClick={() => setConfirming('off')}>
              {t('ui.turnOff')}
            </Button>
          </div>
        </>
      )}
      <ConfirmSheet
        open={confirming !== null}
        onClose={done}
        danger={confirming === 'off'}
        busy={make.isPending || end.isPending}
        title={t(`parkInvites.calendar.${confirming ?? 'off'}Title`)}
        text={t(`parkInvites.calendar.${confirming ?? 'off'}Text`)}
        confirmLabel={t(confirming === 'again' ? 'parkInvites.calendar.again' : 'ui.turnOff')}
        onConfirm={confirming === 'again' ? makeOne : endIt}
      />
    </Card>
  );
}

function Address({ address }: { address: string }) {
  const t = useT();
  return (
    <>
      <p role="status">{t('parkInvites.calendar.secret')}</p>
      <p>
        <span className="note">{t('parkInvites.calendar.address')}</span>
        <code dir="ltr" className={styles.address}>
          {address}
        </code>
      </p>
      <div className="wrap-2">
        <Button
          icon={Copy}
          onClick={() => void copyWithToast(address, t('parkInvites.calendar.copied'))}
        >
          {t('parkInvites.calendar.copy')}
        </Button>
        {/* The `webcal:` link opens a calendar app, if there is one. */}
        <ButtonAnchor
          variant="secondary"
          icon={CalendarPlus}
          href={address.replace(/^https?:/, 'webcal:')}
        >
          {t('parkInvites.calendar.open')}
        </ButtonAnchor>
      </div>
    </>
  );
}
