// POST delete-user {id}: deletes all data of a user: rows, files and the account. Users call it for their own account. With the
// service key and without an ID, it finishes deletions that a crash interrupted.
import * as v from 'valibot';
import {
  isService,
  requireRecentLogin,
  requireUser,
  serviceClient,
  unwrap,
  type ServiceClient,
} from '../_shared/clients.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';

/** Number of files that one request to storage removes. */
const BATCH = 100;

const bodySchema = v.object({ id: v.optional(v.pipe(v.string(), v.uuid())) });
const objectsSchema = v.array(v.object({ bucket: v.string(), name: v.string() }));

async function removeFiles(client: ServiceClient, objects: v.InferOutput<typeof objectsSchema>) {
  for (const bucket of new Set(objects.map((object) => object.bucket))) {
    const names = objects.filter((one) => one.bucket === bucket).map((one) => one.name);
    for (let at = 0; at < names.length; at += BATCH)
      unwrap(await client.storage.from(bucket).remove(names.slice(at, at + BATCH)));
  }
}

async function removeData(client: ServiceClient, id: string): Promise<void> {
  const objects = unwrap(await client.rpc('delete_user_data', { p_user_id: id }));
  await removeFiles(client, v.parse(objectsSchema, objects));
}

/**
 * Deletes a user. Every step can be repeated, and the record of the deletion is removed last, so the next run can finish an
 * interrupted deletion.
 */
async function deleteUser(client: ServiceClient, id: string): Promise<void> {
  await removeData(client, id);
  const { error } = await client.auth.admin.deleteUser(id);
  if (error && error.code !== 'user_not_found') throw error;
  // Repeated for uploads that were accepted before the account was deleted and stored later. No further uploads are accepted now.
  await removeData(client, id);
  unwrap(await client.rpc('finish_user_deletion', { p_user_id: id }));
}

serve('POST', async (request) => {
  const client = serviceClient();
  const body = v.safeParse(bodySchema, await request.json().catch(() => null));
  if (!body.success) throw new HttpError(400, 'The body must be {"id": "<user id>"}');
  const { id } = body.output;
  if (isService(request)) {
    const ids = id ? [id] : unwrap(await client.rpc('unfinished_user_deletions'));
    for (const unfinished of ids) await deleteUser(client, unfinished);
    return json({ deleted: true, finished: ids.length });
  }
  const caller = await requireUser(request, client);
  if (id !== caller) throw new HttpError(403, 'You can only delete your own account');
  requireRecentLogin(request);
  await deleteUser(client, caller);
  return json({ deleted: true });
});
