// `npm run release`: creates one archive per architecture, which needs only Node to run, and their checksums.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isBaselineFrozen } from './lib/baseline.ts';
import { ROOT } from './lib/freshness.ts';
import { readVersion } from '../server/src/product/version.ts';
import { layOut } from './lib/release.ts';

const version = readVersion(ROOT);
if (!version.includes('-dev') && !isBaselineFrozen()) {
  console.error(
    'The baseline may still change, so no release can upgrade this one: run `npm run generate freeze`, and commit and tag the result.',
  );
  process.exit(1);
}
const folder = path.join(ROOT, 'release');
rmSync(folder, { recursive: true, force: true });
// Files must be readable for all users, because root unpacks the archive.
process.umask(0o022);

const sums = (['x64', 'arm64'] as const).map((cpu) => {
  const name = `packpark-${version}-linux-${cpu}`;
  mkdirSync(path.join(folder, name), { recursive: true });
  layOut(path.join(folder, name), cpu);
  const archive = `${name}.tar.gz`;
  const owned = '--owner=0 --group=0 --numeric-owner --sort=name --mode=go+rX,go-w'.split(' ');
  execFileSync('tar', ['-czf', archive, ...owned, name], { cwd: folder });
  rmSync(path.join(folder, name), { recursive: true });
  const bytes = readFileSync(path.join(folder, archive));
  console.log(`${path.join(folder, archive)}: ${Math.round(bytes.length / 1e6)} MB`);
  return `${createHash('sha256').update(bytes).digest('hex')}  ${archive}\n`;
});
writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
