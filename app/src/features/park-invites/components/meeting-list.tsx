// Upcoming meetings with time, park, guests and the user's response. Hosts can cancel their meetings.
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { useState } from 'react';
import { useRespondToPackTime } from '#/features/park-invites/commands/respond-to-pack-time.command.ts';
import { useCallOff } from '#/features/park-invites/commands/call-off-meeting.command.ts';
import type { MyMeeting } from '#/features/park-invites/my-meetings.ts';
import { isMine } from '#/features/park-invites/going.ts';
import { meetingDay } from '#/features/park-invites/meeting-time.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { formatParkTime } from '../../../../../shared/park-time.ts';
import { useNow } from '#/core/use-now.ts';
import { respondToInvite } from '#/features/park-invites/commands/respond-to-invite.command.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { cachedParkName } from '#/entities/parks/cached-park-name.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import styles from './meeting-list.module.css';

export function MeetingList({ meetings }: { meetings: readonly Meeting[] }) {
  const t = useT();
  const [leaving, setLeaving] = useState<MyMeeting | null>(null);
  const callOff = useCallOff();
  const mine = useWithUnsent<readonly MyMeeting[]>(userKeys.meetings, meetings).data;
  if (mine.length === 0)
    return (
      <EmptyState
        pose="sitting"
        text={t('parkInvites.meetings.empty')}
        action={<ButtonLink to="/parks">{t('ui.findPark')}</ButtonLink>}
      />
    );
  return (
    <>
      <ul className="column-3">
        {mine.map((meeting) => (
          <MeetingCard
            key={`${meeting.pack_time_id ?? meeting.host_id ?? ''} ${String(meeting.park_id)} ${meeting.meet_at}`}
            meeting={meeting}
            onCallOff={() => setLeaving(meeting)}
          />
        ))}
      </ul>
      <ConfirmSheet
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        danger
        busy={callOff.isPending}
        title={t('parkInvites.meetings.callOffTitle')}
        text={t('parkInvites.meetings.callOffText')}
        confirmLabel={t('parkInvites.meetings.callOff')}
        onConfirm={() => {
          if (!leaving) return;
          callOff.mutate(
            { parkId: leaving.park_id, meetAt: leaving.meet_at },
            {
              onSuccess: (outcome) => {
                if (outcome !== 'queued') showSuccess(t('parkInvites.meetings.calledOff'));
              },
              onError: showError,
              onSettled: () => setLeaving(null),
            },
          );
        }}
      />
    </>
  );
}

function MeetingCard({ meeting, onCallOff }: { meeting: MyMeeting; onCallOff: () => void }) {
  const t = useT();
  const language = useLanguage();
  const locale = useLocale();
  const now = new Date(useNow(60_000));
  const meetAt = new Date(meeting.meet_at);
  const invite = useMutation({ mutationFn: respondToInvite });
  const packTime = useRespondToPackTime();
  const { invite_id: inviteId, pack_time_id: packTimeId, host_name: host, isQueued } = meeting;
  const mine = isMine(meeting);
  const say = (accept: boolean) => {
    const parkId = meeting.park_id;
    const callbacks = { onError: showError };
    if (inviteId) invite.mutate({ inviteId, accept, parkId }, callbacks);
    else if (packTimeId)
      packTime.mutate(
        { packTimeId, comes: accept, skip: accept ? null : meeting.meet_at, parkId },
        callbacks,
      );
  };
  return (
    <Card as="li" className="column-2">
      <p className={styles.date}>
        <time dateTime={meeting.meet_at}>
          {t('parkInvites.meetings.when', {
            day: meetingDay(meetAt, now, locale),
            time: formatParkTime(meetAt, locale),
          })}
        </time>
      </p>
      <h2 className={styles.park}>
        <Link to="/parks/$parkId" params={{ parkId: meeting.park_id }}>
          <bdi>{cachedParkName(meeting.park_id, language) ?? meeting.park_name}</bdi>
        </Link>
      </h2>
      <p className={styles.host}>
        {packTimeId ? (
          t('parkInvites.pack.weekly')
        ) : mine || host === null ? (
          t('parkInvites.meetings.mine')
        ) : (
          <>
            <Avatar name={host} src={avatarUrl(meeting.host_picture)} size={32} />
            {t('parkInvites.meetings.by', { name: host })}
          </>
        )}
      </p>
      <Guests meeting={meeting} />
      {!mine ? (
        <ChipGroup
          label={t('parkInvites.meetings.answer')}
          options={[
            { value: 'accepted', label: t('parkInvites.meetings.coming') },
            { value: 'declined', label: t('parkInvites.meetings.notComing') },
          ]}
          value={
            invite.isPending ? (invite.variables.accept ? 'accepted' : 'declined') : meeting.status
          }
          onChange={(value) => say(value === 'accepted')}
        />
      ) : (
        !isQueued && (
          <Button variant="quiet" icon={CalendarX2} className={styles.end} onClick={onCallOff}>
            {t('parkInvites.meetings.callOff')}
          </Button>
        )
      )}
      {isQueued && (
        <p className="note">
          {meeting.isCalledOff && `${t('parkInvites.meetings.calledOff')} · `}
          {t('ui.notSentYet')}
        </p>
      )}
    </Card>
  );
}

function Guests({ meeting }: { meeting: Meeting }) {
  const t = useT();
  const { guests, more_coming: more } = meeting;
  if (!guests) return null;
  if (guests.length === 0 && more === 0)
    return (
      <p className="note">
        {t(`parkInvites.meetings.${meeting.status === 'accepted' ? 'onlyYou' : 'nobodyYet'}`)}
      </p>
    );
  return (
    <ul aria-label={t('parkInvites.meetings.guests')}>
      {guests.map(({ id, name, picture, status }) => (
        <li key={id} className={styles.guest}>
          <Avatar name={name} src={avatarUrl(picture)} size={32} />
          <Link to="/profile/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
          {/* Only the host sees the status, because guests see only those who accepted. */}
          {isMine(meeting) && (
            <span className="note">{t(`parkInvites.meetings.status.${status}`)}</span>
          )}
        </li>
      ))}
      {more > 0 && <li className="note">{t('parkInvites.meetings.more', { count: more })}</li>}
    </ul>
  );
}
