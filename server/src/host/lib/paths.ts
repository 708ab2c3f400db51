// Where the project's folders are, the same from the sources and from the bundle in server/dist.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'supabase/config.toml'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('The supabase folder is missing beside the server.');
    folder = parent;
  }
  return folder;
}

export const ROOT = findRoot();

/** Where a part was built when it was asked for: `dist` may lead to a newer build later, and this process goes on with its own. */
export function presentBuild(part: 'app' | 'server'): string {
  const link = path.join(ROOT, part, 'dist');
  if (!existsSync(link)) return link;
  const build = realpathSync(link);
  try {
    // Until this process ends no later build removes it (scripts/lib/builds.ts).
    writeFileSync(path.join(build, `.used-${process.pid}`), '');
  } catch {
    // What this account may not write, no build of it removes.
  }
  return build;
}
