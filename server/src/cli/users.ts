// `packpark users ban|unban`: through the auth service, so that sessions end as its protocol says.
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { serviceClient, withHost } from '#/cli/with-host.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** About a hundred years, which is what GoTrue's own tools mean by for ever. */
const FOR_EVER = '876000h';

async function findUser(client: pg.Client, who: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from auth.users where id::text = $1 or lower(email) = lower($1)',
    [who],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new StartError(`There is no user with the id or email ${who}.`);
  return id;
}

export const command: Command = {
  summary: 'ban people, or let them in again',
  help: `
Usage: npx packpark users ban ID-OR-EMAIL... [--for 72h]
       npx packpark users unban ID-OR-EMAIL...

A banned person cannot log in or stay logged in; an access token that is out already ends within the hour.

Options:
  --for DURATION   such as 72h or 30m; without it, for good`,
  options: { for: { type: 'string' } },
  async run({ values, positionals: [action, ...people] }) {
    if ((action !== 'ban' && action !== 'unban') || people.length === 0)
      throw new StartError('Say what to do: packpark users ban ID-OR-EMAIL, or unban ID-OR-EMAIL.');
    const duration = typeof values.for === 'string' ? values.for : FOR_EVER;
    if (!/^(\d+(\.\d+)?(h|m|s))+$/.test(duration))
      throw new StartError(`--for ${duration} is no duration: write it as 72h or 30m.`);
    await withHost(readSettings(process.env), async (host, client) => {
      const { admin } = serviceClient(host).auth;
      for (const person of people) {
        const id = await findUser(client, person);
        const { error } = await admin.updateUserById(id, {
          ban_duration: action === 'ban' ? duration : 'none',
        });
        if (error) throw error;
        console.log(`${action === 'ban' ? 'Banned' : 'Unbanned'} ${id}`);
      }
    });
  },
};
