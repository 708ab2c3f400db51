// The version of Packpark, from package.json. Builds that are not a release also have the commit.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param root the folder of package.json. A release has no `.git`; its package.json contains the whole version.
 * @returns such as 1.1.0 at the tag v1.1.0, otherwise 1.1.0-dev.4f2a9c1
 */
export function readVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (!existsSync(path.join(root, '.git'))) return version;
  const tag = `v${version}`;
  try {
    const described = execFileSync(
      'git',
      ['describe', '--tags', '--always', '--long', '--abbrev=7', '--match', tag],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    ).trim();
    if (described.startsWith(`${tag}-0-`)) return version;
    return `${version}-dev.${described.split('-g').at(-1) ?? ''}`;
  } catch {
    // The commit is unknown without git, and if the checkout belongs to another account.
    return `${version}-dev`;
  }
}
