// The version of Packpark: that of package.json, with the commit for builds that are not a release.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param root the folder of package.json. A release has no `.git`, and its package.json contains the version it was built as.
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
    // Without git, or in a checkout of another account, the commit is unknown.
    return `${version}-dev`;
  }
}
