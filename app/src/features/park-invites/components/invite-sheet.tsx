// Chooses friends and a time, and invites them to a park.
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useInviteFriends } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { MAX_FRIENDS } from '#/features/park-invites/invite-limits.ts';
import {
  MEETING_PRESETS,
  type MeetingPreset,
  presetTime,
  nextHalfHour,
  timeProblem,
  toLocalInput,
} from '#/features/park-invites/meeting-time.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { useNow } from '#/core/use-now.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Checkbox } from '#/ui/checkbox.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { type FormProblems, useProblem } from '#/ui/form-problems.ts';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { SkeletonText } from '#/ui/skeleton.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showProblem, showSuccess } from '#/ui/toast.ts';
import styles from './invite-sheet.module.css';

interface InviteSheetProps {
  parkId: number;
  parkName: string;
  /** Returns whether the park is known to be closed at that time. */
  isClosedAt: (moment: Date) => boolean;
  /** The user's friends in display order, each with a photo of their dog; undefined while loading. */
  friends: readonly { user_id: string; name: string; picture: string | null }[] | undefined;
  /** The error if loading the friends failed. */
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}

export function InviteSheet(props: InviteSheetProps) {
  const { parkId, parkName, isClosedAt, friends, error, onRetry, onClose } = props;
  const t = useT();
  const invite = useInviteFriends();
  const [empty] = useState(() => ({
    chosen: [] as readonly string[],
    preset: 'twenty' as MeetingPreset,
    time: toLocalInput(nextHalfHour(new Date())),
  }));
  const form = useDraft(`meeting/${String(parkId)}`, empty);
  const { preset, time } = form.draft;
  const set = (patch: Partial<typeof empty>) => form.setDraft({ ...form.draft, ...patch });
  const now = useNow(60_000);
  const [problems, setProblems] = useState<FormProblems>({});
  const problem = useProblem(problems);
  const rows = friends ?? [];
  const chosen = rows.filter(({ user_id }) => form.draft.chosen.includes(user_id));
  const label = t('parkInvites.form.send', {
    count: chosen.length,
    name: chosen[0]?.name ?? '',
  });
  const moment = presetTime(preset, new Date(now)) ?? new Date(time);
  const closed = !Number.isNaN(moment.getTime()) && isClosedAt(moment);

  const send = () => {
    const presetAt = presetTime(preset, new Date());
    const wrongTime = presetAt ? null : timeProblem(time, new Date());
    const found: FormProblems = { ...(wrongTime && { time: wrongTime }) };
    if (chosen.length === 0) found.friends = 'parkInvites.form.friendsMissing';
    if (chosen.length > MAX_FRIENDS) found.friends = 'parkInvites.form.friendsTooMany';
    setProblems(found);
    if (found.friends || found.time) return focusFirstProblem();
    const guests = chosen.map(({ user_id, name, picture }) => ({ id: user_id, name, picture }));
    invite.mutate(
      { parkId, parkName, guests, meetAt: (presetAt ?? new Date(time)).toISOString() },
      {
        onSuccess: (outcome) => {
          form.drop();
          if (outcome !== 'queued') showSuccess(t('parkInvites.sent', { count: guests.length }));
          onClose();
        },
        onError: (error) =>
          showProblem(errorText(error, { invalid_input: 'parkInvites.form.badTime' })),
      },
    );
  };

  return (
    <Sheet
      onClose={onClose}
      title={t('ui.inviteFriends')}
      footer={
        rows.length > 0 && (
          <Button busy={invite.isPending} onClick={send}>
            {label}
          </Button>
        )
      }
    >
      {!friends ? (
        error ? (
          <FetchFailed error={error} onRetry={onRetry} />
        ) : (
          <SkeletonText />
        )
      ) : rows.length === 0 ? (
        <EmptyState
          text={t('parkInvites.form.noFriends')}
          action={<ButtonLink to="/users">{t('ui.findFriends')}</ButtonLink>}
        />
      ) : (
        <div className="grid-5">
          <DraftNote {...form} />
          <FieldGroup
            label={t('parkInvites.form.friends')}
            error={problem('friends')}
            className={styles.friends}
          >
            {rows.map((friend) => (
              <Checkbox
                key={friend.user_id}
                label={
                  <span className="row-3">
                    <Avatar name={friend.name} src={avatarUrl(friend.picture)} size={40} />
                    <bdi>{friend.name}</bdi>
                  </span>
                }
                aria-invalid={problem('friends') ? true : undefined}
                checked={chosen.includes(friend)}
                onChange={(on) => {
                  setProblems({ ...problems, friends: undefined });
                  set({
                    chosen: chosen
                      .map(({ user_id }) => user_id)
                      .filter((id) => id !== friend.user_id)
                      .concat(on ? friend.user_id : []),
                  });
                }}
              />
            ))}
          </FieldGroup>
          <ChipGroup<MeetingPreset>
            label={t('parkInvites.form.time')}
            options={MEETING_PRESETS.filter(
              (each) => each === 'other' || presetTime(each, new Date(now)) !== null,
            ).map((value) => ({ value, label: t(`parkInvites.form.time.${value}`) }))}
            value={preset}
            onChange={(value) => set({ preset: value })}
          />
          {preset === 'other' && (
            <TextField
              type="datetime-local"
              label={t('parkInvites.form.moment')}
              value={time}
              min={toLocalInput(new Date(now))}
              onChange={(event) => {
                set({ time: event.target.value });
                setProblems({ ...problems, time: undefined });
              }}
              error={problem('time')}
            />
          )}
          <p role="status" className={styles.closed}>
            {closed && (
              <>
                <Icon of={Clock} />
                {t('parkInvites.form.closed')}
              </>
            )}
          </p>
        </div>
      )}
    </Sheet>
  );
}
