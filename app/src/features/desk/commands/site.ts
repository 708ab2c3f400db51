// What administrators do on the operator's page; the database checks each, and writes it into the audit log.
import type { LatLong } from '#/core/distance.ts';
import { callAuth, verifyFactor } from '#/data/session/auth-call.ts';
import { request, requestJson } from '#/data/request.ts';
import { askHost } from '#/features/desk/queries/desk.ts';
import { saveBlob } from '#/platform/save-file.ts';

export const backUpNow = () => request((client) => client.rpc('desk_back_up'));

export const sendTestMail = () => request((client) => client.rpc('desk_send_test_mail'));

/** @returns how many parks went and how many are as before; null where there is nothing to undo any more */
export const undoImport = (id: string) =>
  requestJson<{ removed: number; restored: number; kept: number } | null>((client) =>
    client.rpc('desk_undo_import', { p_import_id: id }),
  );

/** Gives password and second factor once more, for what a stolen session must not do. @throws AppError */
export async function proveAgain(password: string, code: string): Promise<void> {
  await callAuth('reauthenticate', { password });
  await verifyFactor(code);
}

/** @returns false where there was none */
export const removeFactors = (userId: string): Promise<boolean> =>
  request((client) => client.rpc('desk_remove_factors', { p_user_id: userId }));

/**
 * Names somebody for a town, which gets the parks and the area that are marked, or keeps its own; null ends it.
 * @returns the code that opens the desk; empty where none is needed
 */
export async function nameForTown(
  userId: string,
  named: {
    town: string;
    parks: readonly { id: number }[];
    corners: readonly LatLong[];
  } | null,
): Promise<string> {
  const { town = '', parks = [], corners = [] } = named ?? {};
  return request((client) =>
    client.rpc('desk_set_role', {
      p_user_id: userId,
      ...(named && { p_role: 'town', p_town: town }),
      ...(parks.length > 0 && { p_parks: parks.map(({ id }) => id) }),
      ...(corners.length > 0 && {
        p_area: `(${corners.map(({ lat, long }) => `(${long},${lat})`).join()})`,
      }),
    }),
  );
}

/** Saves the newest backup, encrypted, as the browser saves files. @throws AppError */
export async function downloadBackup(passphrase: string): Promise<void> {
  const response = await askHost({ method: 'POST', body: JSON.stringify({ passphrase }) });
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
  saveBlob(await response.blob(), named?.[1] ?? 'packpark.tar.gz.enc');
}
