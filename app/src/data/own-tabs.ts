// What one does in a tab, the person's other tabs show at once: they ask again for what it changed.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { ownUserKey } from '#/data/session/own-keys.ts';
import { fetchOwnUser, getSession } from '#/data/session/session.ts';
import { once } from '#/core/once.ts';

interface Told {
  userId: string | null;
  keys: readonly QueryKey[];
  answers: readonly (readonly [QueryKey, unknown])[];
}

const channel = once(() => new BroadcastChannel('packpark-changes'));

/** After a command: asks again for what it changed, here and there. */
export function renewEverywhere(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
): Promise<void> {
  tellTabs(keys);
  return invalidateAll(queryClient, keys);
}

export const tellTabs = (keys: readonly QueryKey[], answers: Told['answers'] = []): void =>
  channel().postMessage({ userId: getSession().userId, keys, answers } satisfies Told);

export function followTabs(queryClient: QueryClient): () => void {
  const follow = ({ data: { userId, keys, answers } }: MessageEvent<Told>) => {
    if (userId !== getSession().userId) return;
    for (const [queryKey, answer] of answers)
      void queryClient
        .cancelQueries({ queryKey })
        .then(() => queryClient.setQueryData(queryKey, answer));
    void invalidateAll(queryClient, keys);
    if (userId && keys.some((key) => hashKey(key) === hashKey(ownUserKey(userId))))
      void fetchOwnUser();
  };
  channel().addEventListener('message', follow);
  return () => channel().removeEventListener('message', follow);
}
