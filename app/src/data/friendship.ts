// What two people can be to each other, and the answer to a request: the profile and the notifications both give it.
import { AppError } from '#/core/app-error.ts';
import { withAge } from '#/data/age/age-question.ts';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

/** What is stale once two people's friendship changed. */
export const friendshipKeys = (userId: string) =>
  [
    peopleKeys.page(userId),
    peopleKeys.friends,
    peopleKeys.searches,
    peopleKeys.notifications,
  ] as const;

/** As the caller sees it; 'self' on their own page. */
export type Friendship = 'none' | 'outgoing' | 'incoming' | 'friends' | 'self';

/**
 * Accepts or declines a friend request.
 * @throws {AppError} 409 where the request was withdrawn before it was accepted
 */
export async function answerFriendRequest(userId: string, accept: boolean): Promise<void> {
  const client = await supabase();
  const args = { p_user_id: userId };
  if (!accept) unwrap(await client.rpc('decline_friend_request', args));
  else if (
    (await withAge(async () => unwrap(await client.rpc('accept_friend_request', args)))) !==
    'friends'
  )
    throw new AppError('friendships.requestOver', 409);
}
