// The notification preferences. Most users never change any, so the first change inserts the row and later ones update it.
import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

/** Columns of notification types that have a switch, with their defaults. */
const SWITCHES = {
  friend_request: true,
  friend_approval: true,
  friend_there: false,
  park_invite: true,
  hazard: true,
  good_time: true,
  lost_dog: true,
  desk_decision: true,
};

export const TYPES = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[];

/** Hours in the device's time zone. Both are equal if there are no quiet hours. */
type QuietHours = Record<'quiet_from' | 'quiet_to', number>;

export type Preferences = Record<'muted' | keyof typeof SWITCHES, boolean> & QuietHours;

export const NIGHT: QuietHours = { quiet_from: 22, quiet_to: 7 };

export const DEFAULT_PREFERENCES: Preferences = { muted: false, ...SWITCHES, ...NIGHT };

/** Returns null if the user has never changed a preference. @throws {AppError} */
const fetchPreferences = (userId: string): Promise<Preferences | null> =>
  request((client) =>
    client.from('notifications_preferences').select().eq('user_id', userId).maybeSingle(),
  );

const preferencesQueryOptions = (userId: string) =>
  queryOptions({ queryKey: userKeys.preferences, queryFn: () => fetchPreferences(userId) });

async function savePreferences(userId: string, patch: Partial<Preferences>): Promise<void> {
  if (await fetchPreferences(userId))
    await request((client) =>
      client.from('notifications_preferences').update(patch).eq('user_id', userId),
    );
  else
    await request((client) =>
      client
        .from('notifications_preferences')
        .insert({ ...DEFAULT_PREFERENCES, ...patch, user_id: userId }),
    );
}

export const usePreferences = (userId: string) => useQuery(preferencesQueryOptions(userId));

export const savePreferencesMutation = (queryClient: QueryClient, userId: string) => {
  const { queryKey } = preferencesQueryOptions(userId);
  const show = (patch: Partial<Preferences>) => {
    const before = queryClient.getQueryData(queryKey);
    queryClient.setQueryData(queryKey, { ...DEFAULT_PREFERENCES, ...before, ...patch });
    return { before };
  };
  return mutationOptions({
    // Run in sequence, because the first change inserts the row that the second one updates.
    scope: { id: 'notifications-preferences' },
    mutationFn: (patch: Partial<Preferences>) => savePreferences(userId, patch),
    onMutate: async (patch) => {
      await queryClient.cancelQueries({ queryKey });
      return show(patch);
    },
    onError: (_error, _patch, context) => {
      queryClient.setQueryData(queryKey, context?.before ?? null);
      return queryClient.invalidateQueries({ queryKey, exact: true });
    },
  });
};

export const useSavePreferences = (userId: string) =>
  useMutation(savePreferencesMutation(useQueryClient(), userId));
