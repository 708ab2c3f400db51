// What a linter can check of our style: names of files, directions of imports, no literal text, no physical sides.
import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import checkFile from 'eslint-plugin-check-file';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import noLiteralText from './scripts/lint/no-literal-text.ts';

/** The names of what is in a folder. */
const entries = (path: string) => readdirSync(new URL(path, import.meta.url));

/** The names of its folders. */
const folders = (path: string) =>
  readdirSync(new URL(path, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

/** The layers of the app: each may import only those before it, and its own files. */
const LAYERS = ['core', 'platform', 'i18n', 'ui', 'data', 'offline', 'map', 'features', 'routes'];
const features = folders('app/src/features');
const startFiles = entries('app/src').filter((name) => /\.tsx?$/.test(name));

const appZones = [
  ...LAYERS.map((layer, at) => ({
    target: `./app/src/${layer}`,
    from: [...LAYERS.slice(at + 1), ...startFiles].map((above) => `./app/src/${above}`),
    message: `${layer}/ may import only ${['npm packages', ...LAYERS.slice(0, at)].join(', ')}: take the thing as a parameter or a prop, or move what both need to a lower layer.`,
  })),
  ...features.map((feature) => ({
    target: `./app/src/features/${feature}`,
    from: './app/src/features',
    except: [`./${feature}`],
    message:
      'No feature imports another: let the route compose both, or move what both need to core/, ui/ or data/.',
  })),
  {
    target: [
      ...LAYERS.filter((layer) => !['data', 'offline', 'features'].includes(layer)),
      ...features.flatMap((feature) =>
        entries(`app/src/features/${feature}`)
          .filter((name) => name !== 'queries' && name !== 'commands')
          .map((name) => `features/${feature}/${name}`),
      ),
    ].map((place) => `./app/src/${place}`),
    from: './app/src/data/supabase.ts',
    message:
      'Only queries/, commands/, data/ and offline/ ask the server: give the request a file in the feature’s queries/ or commands/.',
  },
  { target: './app/src', from: './server', message: 'The app talks to the host over HTTP only.' },
];

const services = ['auth', 'rest', 'storage', 'realtime', 'functions', 'gateway'];

/** Folders that `target` must not import from, each with the sentence a newcomer needs. */
const zones = [
  ...appZones,
  // server/src: host ← product ← main, with cli/ beside product/. One zone for each folder: a pattern with braces matches nothing here.
  ...['lib', 'db', 'limits', 'filters', 'jobs'].map((base) => ({
    target: `./server/src/host/${base}`,
    from: services.map((name) => `./server/src/host/${name}`),
    message: `host/${base}/ is below the services.`,
  })),
  ...services.map((service) => ({
    target: `./server/src/host/${service}`,
    from: services
      .filter((other) => other !== service)
      .map((other) => `./server/src/host/${other}`),
    message: 'No service imports another: main.ts wires them.',
  })),
  {
    target: './server/src/host',
    from: ['./server/src/product', './server/src/cli', './server/src/main.ts'],
    message: 'host/ knows nothing of the product: let main.ts pass the thing in.',
  },
  {
    target: './server/src/product',
    from: ['./server/src/cli', './server/src/main.ts'],
    message: 'main.ts and cli/ are above product/: pass the thing in.',
  },
  { target: './server/src/main.ts', from: './server/src/cli', message: 'cli/ is above main.ts.' },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'data/',
      'app/android/',
      'app/ios/',
      'app/src/route-tree.gen.ts',
      'shared/database.types.ts',
      'test-results/',
      'playwright-report/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    languageOptions: { globals: { ...globals.node } },
    plugins: { 'check-file': checkFile, 'import-x': importX },
    settings: {
      // Without these, the graph of imports would end at the first TypeScript file.
      'import-x/extensions': ['.ts', '.tsx', '.js', '.mjs'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [
        createTypeScriptImportResolver({ project: ['app/tsconfig.json', 'server/tsconfig.json'] }),
      ],
    },
    rules: {
      eqeqeq: 'error',
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'no-undef': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'No barrels: import from the file that defines it.',
        },
      ],
    },
  },
  {
    files: ['{app,server,e2e,bench,scripts,supabase}/**/*.{ts,tsx,mjs}'],
    ignores: ['app/src/routes/**', '**/*.d.ts', '**/*.config.ts'],
    rules: {
      'check-file/filename-naming-convention': [
        'error',
        { '**/*.{ts,tsx,mjs}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
    },
  },
  {
    files: ['app/src/**/*.{ts,tsx}'],
    ignores: ['app/src/**/*.test.{ts,tsx}'],
    languageOptions: { globals: { ...globals.browser } },
    plugins: {
      'react-hooks': reactHooks,
      packpark: { rules: { 'no-literal-text': noLiteralText } },
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'packpark/no-literal-text': 'error',
      // A dynamic import is a dependency, too; a type-only one is not.
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^\\.\\./(?!(\\.\\./)*shared/)',
              message: 'Beyond the own folder, import with #/.',
            },
            {
              group: ['@capacitor/*'],
              message: 'Only platform/ knows Capacitor: use #/platform/.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['app/src/platform/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['server/src/**/*.ts'],
    rules: { 'import-x/no-cycle': 'error' },
  },
  {
    // The host serves any Supabase project: what is named after Packpark's own tables belongs to product/.
    files: ['server/src/host/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=%]', 'TemplateElement[value.raw=%]', 'Identifier[name=%]'].map(
          (selector) => ({
            selector: selector.replace('%', '/\\b(dogs?|parks?|check_?ins?)\\b/i'),
            message: 'host/ knows nothing of the product: let main.ts pass the thing in.',
          }),
        ),
        {
          selector: 'ExportAllDeclaration',
          message: 'No barrels: import from the file that defines it.',
        },
      ],
    },
  },
  {
    files: ['scripts/**', 'bench/**', 'server/src/cli/**', 'supabase/functions/**'],
    rules: { 'no-console': 'off' },
  },
);
