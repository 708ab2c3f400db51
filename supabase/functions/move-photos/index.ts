// POST move-photos: runs jobs of the type move-photo. They move or remove the files of photos after a decision or after a dog was
// handed over. Every step can be repeated, so an interrupted move is simply run again.
import { requireService, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { json, serve } from '../_shared/serve.ts';

const BATCH = 20;

const claim = async (client: ServiceClient) =>
  unwrap(await client.rpc('claim_photo_moves', { p_limit: BATCH }));

type Move = Awaited<ReturnType<typeof claim>>[number];

/** Moves or removes one file. Returns the error; null if it succeeded. */
async function carryOut(client: ServiceClient, { path, bucket, target, new_path }: Move) {
  if (bucket === null || (bucket === target && path === new_path)) return null;
  const files = client.storage.from(bucket);
  const { error } =
    target === null
      ? await files.remove([path])
      : await files.move(path, new_path, { destinationBucket: target });
  return error;
}

serve('POST', async (request) => {
  requireService(request);
  const client = serviceClient();
  let moved = 0;
  for (;;) {
    const moves = await claim(client);
    for (const move of moves) {
      const error = await carryOut(client, move);
      unwrap(
        await client.rpc('finish_photo_move', {
          p_id: move.id,
          p_lease: move.lease,
          ...(error ? { p_error: 'Storage did not move the file' } : {}),
        }),
      );
      if (!error) moved += 1;
    }
    if (moves.length < BATCH) return json({ moved });
  }
});
