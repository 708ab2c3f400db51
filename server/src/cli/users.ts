// `packpark users list|ban|unban|role|remove-factor`: manages accounts on the command line, like /desk.
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { callDesk } from '#/cli/call-desk.ts';
import { printable } from '#/cli/printable.ts';
import { foldEmail } from '#/host/auth/emails.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { readSettings } from '#/product/settings.ts';
import { REPORT_REASONS, ROLES } from '../../../shared/enums.ts';

async function findUser(client: pg.Client, who: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from auth.users where id::text = $1 or lower(email collate "C") = $2',
    [who, foldEmail(who)],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new StartError(`There is no user with the id or email ${who}.`);
  return id;
}

interface Account {
  id: string;
  email: string | null;
  name: string | null;
  joined: string;
  role: string | null;
  limited: boolean;
}

/** Lists the newest accounts, or those whose name or email contains the search text. The audit log records each listing. */
async function list(client: pg.Client, search: string): Promise<void> {
  const { rows } = await client.query<Account>(
    `select a.id, a.email, u.name, a.created_at::date::text as joined, r.role,
       exists (select from private.sanctions_in_force(a.id) m where m.shown) as limited
     from auth.users a left join public.users u on u.id = a.id left join public.user_roles r on r.user_id = a.id
     where a.id::text = $1 or position(lower($1) in lower(concat_ws(' ', u.name, a.email))) > 0
     order by a.created_at desc, a.id limit 100`,
    [search],
  );
  await client.query(`select private.audit('search_users')`);
  for (const { id, email, name, joined, role, limited } of rows) {
    const more = [role, limited ? 'limited' : null].filter(Boolean).join(', ');
    console.log(
      [id, joined, printable(email ?? '-'), printable(name ?? '-'), more].join('  ').trimEnd(),
    );
  }
  if (rows.length === 0) console.log('No user matches.');
  if (rows.length === 100)
    console.log('Only the newest 100 are listed: search for a part of the name or email.');
}

/** Bans a user for a number of seconds, or permanently. The user gets a mail with the reason. */
async function ban(client: pg.Client, id: string, reason: string, seconds: number | null) {
  await callDesk(
    client,
    `public.desk_impose_sanction('user', $1, $2, $3, now() + make_interval(secs => $4))`,
    [id, seconds === null ? 'ban' : 'suspend', reason, seconds],
  );
  console.log(`Banned ${id}`);
}

async function unban(client: pg.Client, id: string) {
  await callDesk(client, 'public.desk_revoke_sanctions($1)', [id]);
  console.log(`Unbanned ${id}`);
}

/** Properties of a town account and its parks; undefined values are not changed. */
interface Town {
  town: string;
  parks: string[] | undefined;
  area: string | undefined;
}

function townOf({ town, parks, area }: Record<string, unknown>): Town {
  if (typeof town !== 'string' || !/^\S(.{0,78}\S)?$/.test(town))
    throw new StartError('Name the town: --town "Haifa", at most 80 characters.');
  if (typeof parks === 'string' && !/^\d{1,15}(,\d{1,15})*$/.test(parks))
    throw new StartError('--parks are ids with commas: 12,15.');
  const named = { town, parks: typeof parks === 'string' ? parks.split(',') : undefined };
  if (typeof area !== 'string') return { ...named, area: undefined };
  const points = area
    .trim()
    .split(/\s+/)
    .map((point) => point.split(',').map(Number));
  if (points.length < 3 || points.some((point) => point.length !== 2 || point.some(Number.isNaN)))
    throw new StartError('--area is three points or more: "32.1,34.7 32.2,34.8 32.1,34.9".');
  return { ...named, area: `(${points.map(([lat, long]) => `(${long},${lat})`).join()})` };
}

async function setRole(client: pg.Client, id: string, role: string | null, of?: Town) {
  const code = (await callDesk(client, 'public.desk_set_role($1, $2, $3, $4, $5)', [
    id,
    role,
    of?.town,
    of?.parks,
    of?.area,
  ])) as string | null;
  if (code === null) throw new StartError(`${id} has not confirmed the email yet.`);
  console.log(role === null ? `${id} no longer has a role` : `${id} is ${role} now`);
  if (code !== '')
    console.log(`Code: ${code}
It opens /desk once, within a week, after "Two-step verification" was set up in the settings of the profile.
Hand it over in person or by phone: somebody who stole the password may also read the mails.`);
}

/**
 * Removes the second factors of a user who lost the device. Afterwards the password alone is enough to log in, and a mail notifies
 * the user.
 */
async function removeFactors(client: pg.Client, id: string) {
  if (!(await callDesk(client, 'public.desk_remove_factors($1)', [id])))
    throw new StartError(`${id} has no second factor.`);
  console.log(`Removed the second factor of ${id}`);
}

const SECONDS = { h: 3600, m: 60, s: 1 } as const;

/**
 * @returns seconds, or null for a permanent ban
 * @throws StartError
 */
function durationOf(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  if (!/^(\d+(\.\d+)?[hms])+$/.test(text))
    throw new StartError(`--for ${text} is not a duration: write it as 72h or 30m.`);
  return [...text.matchAll(/([\d.]+)([hms])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * SECONDS[unit as 'h' | 'm' | 's'],
    0,
  );
}

export const command: Command = {
  summary: 'list, ban and unban users, and assign roles',
  help: `
Usage: npx packpark users list [NAME, EMAIL OR A PART OF IT]
       npx packpark users ban ID-OR-EMAIL... [--for 72h] [--reason REASON]
       npx packpark users unban ID-OR-EMAIL...
       npx packpark users role ID-OR-EMAIL moderator|administrator|none
       npx packpark users role ID-OR-EMAIL town --town NAME [--parks ID,ID...] [--area 'LAT,LONG LAT,LONG LAT,LONG...']
       npx packpark users remove-factor ID-OR-EMAIL...

A banned user is logged out, cannot log in, and gets a mail with the reason. "unban" ends every limit,
suspension and ban. "remove-factor" is for users who lost their authenticator app: verify their identity first.
Moderators and administrators can open /desk after they have set up a second factor and entered the code that "role"
prints. A new second factor needs a new code. A town's accounts maintain the named parks and those in the area.

Options:
  --for DURATION    such as 72h or 30m; permanent by default
  --town NAME       the town of the account; a new town needs parks or an area
  --reason REASON   default harassment; otherwise ${REPORT_REASONS.join(', ')}`,
  options: {
    for: { type: 'string' },
    reason: { type: 'string' },
    town: { type: 'string' },
    parks: { type: 'string' },
    area: { type: 'string' },
  },
  async run({ values, positionals: [action, ...users] }) {
    if (action === 'list')
      return withDatabase(readSettings(process.env), (client) => list(client, users.join(' ')));
    if (!['ban', 'unban', 'role', 'remove-factor'].includes(action ?? '') || users.length === 0)
      throw new StartError(
        'Name the action: packpark users list, ban ID-OR-EMAIL, unban ID-OR-EMAIL, remove-factor ID-OR-EMAIL, or role ID-OR-EMAIL ROLE.',
      );
    const seconds = durationOf(values.for);
    const reason = typeof values.reason === 'string' ? values.reason : 'harassment';
    await withDatabase(readSettings(process.env), async (client) => {
      if (action === 'role') {
        const [user = '', role = ''] = users;
        if (![...ROLES, 'none'].includes(role))
          throw new StartError(`A role is ${ROLES.join(', ')} or none.`);
        const town = role === 'town' ? townOf(values) : undefined;
        await setRole(client, await findUser(client, user), role === 'none' ? null : role, town);
        return;
      }
      for (const user of users) {
        const id = await findUser(client, user);
        if (action === 'ban') await ban(client, id, reason, seconds);
        else await (action === 'unban' ? unban : removeFactors)(client, id);
      }
    });
  },
};
