// Our own lint rules. JavaScript, because the linter loads plugins with plain Node, which on 20 runs no TypeScript.
import { createJiti } from 'jiti';

export default await createJiti(import.meta.url).import('./plugin.ts', { default: true });
