// Imports server modules in scripts. Server modules use the alias #/.
import path from 'node:path';
import { createJiti } from 'jiti';

const SERVER = path.resolve(import.meta.dirname, '../../server');
const jiti = createJiti(import.meta.url, { alias: { '#': path.join(SERVER, 'src') } });

/** @param file path below server/, such as `src/host/db/cluster.ts` */
export const serverModule = <Module>(file: string): Promise<Module> =>
  jiti.import<Module>(path.join(SERVER, file));
