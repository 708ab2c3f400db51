// The build of a part that this process runs, marked so that no later build removes it.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';

/** The folder of the build that there is now: `dist` may lead to a newer one later, and this process goes on with its own. */
export function claimBuild(part: 'app' | 'server'): string {
  const link = path.join(ROOT, part, 'dist');
  if (!existsSync(link)) return link;
  const build = realpathSync(link);
  try {
    // Until this process ends no later build removes it (scripts/lib/builds.ts).
    writeFileSync(path.join(build, `.used-${process.pid}`), '');
  } catch {
    // Builds that this account may not delete are left alone.
  }
  return build;
}
