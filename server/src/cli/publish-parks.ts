// `packpark publish-parks`: publishes the lists of parks again, even if they have not changed.
import type { Command } from '#/cli/command.ts';
import { withHost } from '#/cli/with-host.ts';
import { readSettings } from '#/product/settings.ts';

export const command: Command = {
  summary: 'publish the lists of parks again',
  help: `
Usage: npx packpark publish-parks

Writes parks-en.json, parks-he.json and parks-ar.json into the bucket parks. A running host does this
whenever a park changes.`,
  async run() {
    await withHost(readSettings(process.env), (host) =>
      host.functions.run('publish-parks', { force: true }),
    );
    console.log('Published parks-en.json, parks-he.json and parks-ar.json.');
  },
};
