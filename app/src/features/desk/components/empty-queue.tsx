// The empty queue. Also shows whether other moderators have claimed the remaining items, or must decide about this moderator's own
// posts.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { publishOwnCard } from '#/features/desk/commands/decide.ts';
import { ReauthenticateSheet } from '#/features/desk/components/reauthenticate-sheet.tsx';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { ownItemsQueryOptions } from '#/features/desk/queries/desk.ts';
import { Button } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { showSuccess } from '#/ui/toast.ts';

export function EmptyQueue({ hasOthers }: { hasOthers: boolean }) {
  const text = useDeskText();
  const client = useQueryClient();
  const { data: own, error, refetch } = useQuery(ownItemsQueryOptions());
  const [publishing, setPublishing] = useState<string | null>(null);
  if (!own) return <Loading error={error} refetch={refetch} height="20rem" />;
  const card = own.find((item) => item.may_publish);
  const state = own.length > 0 ? text.queue.own : hasOthers ? text.queue.others : text.queue.empty;
  return (
    <>
      <EmptyState
        pose="sleeping"
        text={state}
        action={
          card && (
            <Button variant="secondary" onClick={() => setPublishing(card.id)}>
              {text.queue.publishOwn}
            </Button>
          )
        }
      />
      {publishing !== null && (
        <ReauthenticateSheet
          title={text.queue.publishOwn}
          about={text.queue.publishOwnAbout}
          onClose={() => setPublishing(null)}
          onReauthenticated={async () => {
            await publishOwnCard(publishing);
            setPublishing(null);
            showSuccess(text.queue.publishedOwn);
            await client.invalidateQueries(ownItemsQueryOptions());
          }}
        />
      )}
    </>
  );
}
