// Paths of the project's folders, which are the same for the sources and for the bundle in server/dist.
import { existsSync } from 'node:fs';
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
