// Loads our lint rules. This file is JavaScript, because the linter loads plug-ins with plain Node, and Node 20 does not run
// TypeScript.
import { createJiti } from 'jiti';

export default await createJiti(import.meta.url).import('./plugin.ts', { default: true });
