// Administrators' actions on the site page, which the database authorises and writes to the audit log.
import type { LatLong } from '#/core/distance.ts';
import { callAuth, verifyFactor } from '#/data/session/auth-call.ts';
import { request } from '#/data/request.ts';
import { askHost } from '#/features/desk/queries/desk.ts';
import { saveBlob } from '#/platform/save-file.ts';

export const backUpNow = () => request((client) => client.rpc('desk_back_up'));

export const sendTestMail = () => request((client) => client.rpc('desk_send_test_mail'));

/**
 * Checks password and second factor again, for actions that a stolen session must not perform.
 * @throws AppError
 */
export async function reauthenticate(password: string, code: string): Promise<void> {
  await callAuth('reauthenticate', { password });
  await verifyFactor(code);
}

/** Removes a user's second factor. @returns false if the user had none */
export const removeFactors = (userId: string): Promise<boolean> =>
  request((client) => client.rpc('desk_remove_factors', { p_user_id: userId }));

/**
 * Appoints a user as a town's representative for the given parks and area. If `named` is null, revokes the role. @returns the code that
 * opens the desk; empty if none is needed
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

/**
 * Downloads the newest backup, encrypted.
 * @throws AppError
 */
export async function downloadBackup(passphrase: string): Promise<void> {
  const response = await askHost('/site-status', {
    method: 'POST',
    body: JSON.stringify({ passphrase }),
  });
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
  saveBlob(await response.blob(), named?.[1] ?? 'packpark.tar.gz.enc');
}
