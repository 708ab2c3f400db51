// Chooses the build of the app or the server that this process uses, and marks it so that later builds do not delete it.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';

/**
 * Returns the folder of the current build. The link `dist` may point to a newer build later, but this process continues to use its
 * own.
 */
export function claimBuild(part: 'app' | 'server'): string {
  const link = path.join(ROOT, part, 'dist');
  if (!existsSync(link)) return link;
  const build = realpathSync(link);
  try {
    // Later builds do not delete the folder while this process runs (scripts/lib/builds.ts).
    writeFileSync(path.join(build, `.used-${process.pid}`), '');
  } catch {
    // An account that cannot write the mark cannot delete the build either.
  }
  return build;
}
