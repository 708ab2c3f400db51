// Notifies the user's other tabs of the queries that a command has changed, so they refetch them.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { ownUserKey } from '#/data/session/own-keys.ts';
import { fetchOwnUser, getSession } from '#/data/session/session.ts';
import { once } from '#/core/once.ts';

interface TabMessage {
  userId: string | null;
  keys: readonly QueryKey[];
  responses: readonly (readonly [QueryKey, unknown])[];
}

const channel = once(() => new BroadcastChannel('packpark-changes'));

/** Invalidates the queries that a command has changed, in all tabs of the user. */
export function invalidateInAllTabs(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
): Promise<void> {
  notifyTabs(keys);
  return invalidateAll(queryClient, keys);
}

export const notifyTabs = (
  keys: readonly QueryKey[],
  responses: TabMessage['responses'] = [],
): void =>
  channel().postMessage({ userId: getSession().userId, keys, responses } satisfies TabMessage);

export function followTabs(queryClient: QueryClient): () => void {
  const follow = ({ data: { userId, keys, responses } }: MessageEvent<TabMessage>) => {
    if (userId !== getSession().userId) return;
    for (const [queryKey, response] of responses)
      void queryClient
        .cancelQueries({ queryKey })
        .then(() => queryClient.setQueryData(queryKey, response));
    void invalidateAll(queryClient, keys);
    if (userId && keys.some((key) => hashKey(key) === hashKey(ownUserKey(userId))))
      void fetchOwnUser();
  };
  channel().addEventListener('message', follow);
  return () => channel().removeEventListener('message', follow);
}
