// Types of chromium.mjs, for the TypeScript that uses it.
export declare const CHROMIUM_ARGUMENTS: string[];
export declare function findChromium(): string | null;
export declare function ensureChromium(): string;
