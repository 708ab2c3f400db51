// One button for each friendship state: send or cancel a request, respond to one, or unfriend. A toast confirms each step.
import { UserMinus, UserPlus, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import {
  type FriendshipStep,
  useFriendshipStep,
} from '#/features/friendships/commands/friendship-step.command.ts';
import { AFTER, friendshipWith } from '#/features/friendships/friendship-with.ts';
import { type MessageKey, useT } from '#/i18n/i18n.ts';
import { toAppError } from '#/i18n/errors.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { useUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { showProblem, showSuccess } from '#/ui/toast.ts';
import styles from './friend-button.module.css';

interface FriendButtonProps {
  userId: string;
  name: string;
  friendship: Friendship;
  /** True for the small icon in a list of friends. A friend's page has unfriending in its menu. */
  small?: boolean;
}

const DONE: Readonly<Record<FriendshipStep, MessageKey>> = {
  send: 'friendships.toast.sent',
  cancel: 'friendships.toast.removed',
  accept: 'friendships.toast.nowFriends',
  decline: 'notifications.declined',
  unfriend: 'friendships.toast.noLonger',
};

/** Returns the friendship with unsent steps applied, and a function that performs a step and shows its result. */
function useSteps({ userId, name, friendship: stored }: Omit<FriendButtonProps, 'small'>) {
  const t = useT();
  const step = useFriendshipStep();
  const { friendship: known, queuedStep } = friendshipWith(userId, stored, useUnsent());
  const friendship = (step.isPending && AFTER[step.variables.step][known]) || known;

  const take = (which: FriendshipStep) =>
    // Use the promise, because in a list this button may be unmounted with its row before the response arrives.
    void step.mutateAsync({ userId, step: which }).then(
      (outcome) => {
        if (outcome !== 'queued') showSuccess(t(DONE[which], { name }));
      },
      (error: unknown) => {
        // Errors with their own messages: an unconfirmed age, a cancelled request, no network, and a full queue.
        const { key, status } = toAppError(error);
        const hasOwnMessage = key === 'errors.age_required' || [409, 503, 507].includes(status);
        showProblem(t(hasOwnMessage ? key : 'friendships.toast.failed'));
      },
    );
  return { friendship, queuedStep, isPending: step.isPending, take };
}

/** Asks for confirmation before unfriending. `unfriend` is null unless the users are friends. */
export const useUnfriend = (props: Omit<FriendButtonProps, 'small'>) =>
  useUnfriendStep(props.name, useSteps(props));

function useUnfriendStep(name: string, { friendship, take }: ReturnType<typeof useSteps>) {
  const t = useT();
  const [parting, setParting] = useState(false);
  return {
    unfriend: friendship === 'friends' ? () => setParting(true) : null,
    sheet: (
      <ConfirmSheet
        open={parting}
        onClose={() => setParting(false)}
        danger
        title={t('friendships.unfriend.title', { name })}
        text={t('friendships.unfriend.text')}
        confirmLabel={t('friendships.button.unfriend')}
        onConfirm={() => {
          setParting(false);
          take('unfriend');
        }}
      />
    ),
  };
}

export function FriendButton(props: FriendButtonProps) {
  const { name, small = false } = props;
  const t = useT();
  const steps = useSteps(props);
  const { friendship, queuedStep, isPending, take } = steps;
  const { unfriend, sheet } = useUnfriendStep(name, steps);

  const named = (action: string) => t('ui.named', { action, name });
  const cancel = t('friendships.button.cancel') + (queuedStep ? ` · ${t('ui.notSentYet')}` : '');
  const note = queuedStep && (
    <p className="note">
      {t(DONE[queuedStep], { name })} · {t('ui.notSentYet')}
    </p>
  );
  switch (friendship) {
    case 'self':
      return null;
    case 'none':
      return (
        <>
          <Button icon={UserPlus} busy={isPending} onClick={() => take('send')}>
            {t('friendships.button.send')}
          </Button>
          {note}
        </>
      );
    case 'outgoing':
      return (
        <Button
          variant="secondary"
          icon={UserRoundX}
          busy={isPending}
          aria-label={named(cancel)}
          onClick={() => take('cancel')}
        >
          {cancel}
        </Button>
      );
    case 'incoming':
      return (
        <span className="wrap-2">
          <Button
            icon={UserRoundCheck}
            busy={isPending}
            aria-label={named(t('friendships.button.accept'))}
            onClick={() => take('accept')}
          >
            {t('friendships.button.accept')}
          </Button>
          <Button
            variant="secondary"
            busy={isPending}
            aria-label={named(t('friendships.button.decline'))}
            onClick={() => take('decline')}
          >
            {t('friendships.button.decline')}
          </Button>
        </span>
      );
    case 'friends':
      return small ? (
        <>
          <IconButton
            icon={UserMinus}
            label={t('friendships.button.unfriendNamed', { name })}
            className={styles.part}
            busy={isPending}
            onClick={() => unfriend?.()}
          />
          {sheet}
        </>
      ) : (
        note
      );
  }
}
