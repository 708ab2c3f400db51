// Weekly meetings at a park with time, dogs and friends. Users can create, join, skip, leave and report them.
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CalendarPlus, Flag, LogOut } from 'lucide-react';
import { useRespondToPackTime } from '#/features/park-invites/commands/respond-to-pack-time.command.ts';
import { useMakePackTime, useReportPackTime } from '#/features/park-invites/commands/pack-times.ts';
import {
  type PackTime,
  packTimesQueryOptions,
} from '#/features/park-invites/queries/pack-times.ts';
import { formatParkTime, parkTimeZone } from '../../../../../shared/park-time.ts';
import { errorText } from '#/i18n/errors.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { useSession } from '#/data/session/session.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { Avatar } from '#/ui/avatar.tsx';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Icon } from '#/ui/icon.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Menu } from '#/ui/menu.tsx';
import { Select } from '#/ui/select.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showError, showProblem, showSuccess } from '#/ui/toast.ts';
import styles from './pack-times.module.css';

interface PackTimesProps {
  parkId: number;
  guard: LoginGate['guard'];
}

/** The open sheet: for a new meeting, or for an action on an existing one. */
type OpenSheet = 'make' | { id: string; action: 'join' | 'report' };
const useOpenSheet = () => useNamedOverlay<OpenSheet>('pack-time');

export default function PackTimes({ parkId, guard }: PackTimesProps) {
  const t = useT();
  const query = packTimesQueryOptions(parkId);
  const { data } = useWithUnsent(query.queryKey, useQuery(query).data);
  const { status } = useSession();
  const [opened, setOpened] = useOpenSheet();
  return (
    <Card as="section" aria-labelledby="pack-times" className="column-3">
      <h2 id="pack-times" className="text-3">
        {t('parkInvites.pack.title')}
      </h2>
      {data && data.length > 0 ? (
        <ul className="column-4">
          {data.map((pack) => (
            <PackTimeRow key={pack.id} parkId={parkId} pack={pack} guard={guard} />
          ))}
        </ul>
      ) : (
        <p className="note">{t('parkInvites.pack.note')}</p>
      )}
      <Button
        variant="secondary"
        icon={CalendarPlus}
        onClick={() =>
          guard(t('parkInvites.pack.make'), t('parkInvites.pack.gate'), () => setOpened('make'), {
            'pack-time': 'make',
          })
        }
      >
        {t('parkInvites.pack.make')}
      </Button>
      {opened === 'make' && status === 'in' && (
        <MakeSheet parkId={parkId} onClose={() => setOpened(null)} />
      )}
    </Card>
  );
}

function PackTimeRow({ parkId, pack, guard }: PackTimesProps & { pack: PackTime }) {
  const t = useT();
  const locale = useLocale();
  const send = useRespondToPackTime();
  const report = useReportPackTime();
  const [opened, setOpened] = useOpenSheet();
  const close = () => setOpened(null);
  const action =
    opened !== null && opened !== 'make' && opened.id === pack.id ? opened.action : null;
  const meetAt = new Date(pack.meet_at);
  const gate = (action: 'join' | 'report', act: () => void) =>
    guard(
      t(action === 'join' ? 'parkInvites.pack.join' : 'ui.report'),
      t('parkInvites.pack.gate'),
      act,
      { 'pack-time': { id: pack.id, action } },
    );
  const set = (comes: boolean, skip: string | null = null) =>
    send.mutate({ packTimeId: pack.id, comes, skip, parkId }, { onError: showError });
  const when = t('parkInvites.pack.when', {
    day: new Intl.DateTimeFormat(locale, { timeZone: parkTimeZone(), weekday: 'long' }).format(
      meetAt,
    ),
    time: formatParkTime(meetAt, locale),
  });
  return (
    <li className="column-3">
      <p className="row-2">
        <Icon of={CalendarClock} />
        <span>
          <strong>{when}</strong>
          {pack.dogs !== null && (
            <span className={styles.dogs}>{t('parkInvites.pack.dogs', { count: pack.dogs })}</span>
          )}
        </span>
        <Menu
          label={when}
          className={styles.menu}
          items={[
            ...(pack.joined
              ? [{ label: t('parkInvites.pack.leave'), icon: LogOut, onSelect: () => set(false) }]
              : []),
            {
              label: t('ui.report'),
              icon: Flag,
              onSelect: () => gate('report', () => setOpened({ id: pack.id, action: 'report' })),
            },
          ]}
        />
      </p>
      {pack.friends.map((friend) => (
        <p key={friend.id} className="row-wrap-2">
          <Avatar name={friend.name} src={avatarUrl(friend.picture)} size={32} />
          <bdi>{friend.name}</bdi>
          {friend.made_it && <span className="note">{t('parkInvites.pack.madeIt')}</span>}
        </p>
      ))}
      {pack.joined ? (
        <ChipGroup
          label={t('parkInvites.pack.next')}
          options={[
            { value: 'accepted', label: t('parkInvites.meetings.coming') },
            { value: 'declined', label: t('parkInvites.meetings.notComing') },
          ]}
          value={pack.skips ? 'declined' : 'accepted'}
          onChange={(value) => (value === 'accepted' ? set(true) : set(false, pack.meet_at))}
        />
      ) : (
        <Button
          variant="secondary"
          busy={send.isPending}
          onClick={() => gate('join', () => set(true))}
        >
          {t('parkInvites.pack.join')}
        </Button>
      )}
      {pack.isQueued && <p className="note">{t('ui.notSentYet')}</p>}
      {/* Opens after a login, which may be some time after the tap. Joining is visible to others, so it is confirmed then. */}
      <ConfirmSheet
        open={action === 'join'}
        onClose={close}
        title={when}
        confirmLabel={t('parkInvites.pack.join')}
        onConfirm={() => {
          close();
          set(true);
        }}
      />
      <ConfirmSheet
        open={action === 'report'}
        onClose={close}
        busy={report.isPending}
        title={t('parkInvites.pack.reportTitle')}
        text={t('parkInvites.pack.reportText')}
        confirmLabel={t('ui.report')}
        onConfirm={() =>
          report.mutate(pack.id, {
            onSuccess: () => showSuccess(t('ui.report.thanks')),
            onError: showError,
            onSettled: close,
          })
        }
      />
    </li>
  );
}

/** Seven consecutive days that start with a Sunday. */
const A_WEEK = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2023, 0, 1 + day, 12)));

function MakeSheet({ parkId, onClose }: { parkId: number; onClose: () => void }) {
  const t = useT();
  const locale = useLocale();
  const make = useMakePackTime();
  const form = useDraft(`pack-time/${String(parkId)}`, { weekday: '2', starts: '18:00' });
  const { weekday, starts } = form.draft;
  const { firstDay = 0 } = getConfig().time;
  const names = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' });
  const save = () =>
    make.mutate(
      { parkId, weekday: Number(weekday), starts },
      {
        onSuccess: () => {
          showSuccess(t('parkInvites.pack.made'));
          form.drop();
          onClose();
        },
        onError: (error) =>
          showProblem(
            errorText(error, {
              regulars_only: 'parkInvites.pack.regularsOnly',
              invalid_input: 'parkInvites.pack.quarters',
            }),
          ),
      },
    );
  return (
    <Sheet
      onClose={onClose}
      title={t('parkInvites.pack.make')}
      size="small"
      footer={
        <Button busy={make.isPending} onClick={save}>
          {t('parkInvites.pack.save')}
        </Button>
      }
    >
      <div className="column-3">
        <p className="note">{t('parkInvites.pack.note')}</p>
        <DraftNote {...form} />
        <Select
          label={t('ui.day')}
          options={[...A_WEEK.slice(firstDay), ...A_WEEK.slice(0, firstDay)].map((day) => ({
            value: String(day.getUTCDay()),
            label: names.format(day),
          }))}
          value={weekday}
          onChange={(day) => form.setDraft({ weekday: day, starts })}
        />
        <TextField
          type="time"
          step={900}
          label={t('parkInvites.pack.time')}
          value={starts}
          onChange={(event) => form.setDraft({ weekday, starts: event.target.value })}
        />
      </div>
    </Sheet>
  );
}
