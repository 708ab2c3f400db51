// The build of a part that this process runs. It is marked so that later builds do not remove it.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';

/** Returns the folder of the current build. `dist` may point to a newer build later, but this process keeps using its own. */
export function claimBuild(part: 'app' | 'server'): string {
  const link = path.join(ROOT, part, 'dist');
  if (!existsSync(link)) return link;
  const build = realpathSync(link);
  try {
    // While this process runs, later builds do not remove the folder (scripts/lib/builds.ts).
    writeFileSync(path.join(build, `.used-${process.pid}`), '');
  } catch {
    // If this account cannot write the mark, it cannot delete the build either.
  }
  return build;
}
