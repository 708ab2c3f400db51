// Lint rule: enforces the direction of imports between folders. Each message explains the alternative.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Context, Node, Rule } from './rule.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Files below `target` must not import files below `from`, except files below `except`. */
interface Zone {
  target: string;
  from: string;
  except?: string;
  /** True if tests are exempt from the rule. */
  isForTests?: boolean;
  message: string;
}

const entries = (folder: string) => readdirSync(path.join(ROOT, folder));
const folders = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

/** The layers of the app. Each layer may import only itself and the layers before it. */
const LAYERS = [
  'core',
  'platform',
  'i18n',
  'ui',
  'data',
  'offline',
  'entities',
  'map',
  'features',
  'screens',
  'routes',
];
const features = folders('app/src/features');
const startFiles = entries('app/src').filter((name) => /\.tsx?$/.test(name));

/** The parts of the app that must not send requests. */
const WITHOUT_SERVER = [
  ...LAYERS.filter((layer) => !['data', 'offline', 'entities', 'features'].includes(layer)),
  ...features.flatMap((feature) =>
    entries(`app/src/features/${feature}`)
      .filter((name) => name !== 'queries' && name !== 'commands')
      .map((name) => `features/${feature}/${name}`),
  ),
];

/** Returns zones in which no target may import any of the sources. */
const apart = (targets: readonly string[], sources: readonly string[], message: string): Zone[] =>
  targets.flatMap((target) =>
    sources.filter((from) => from !== target).map((from) => ({ target, from, message })),
  );
const host = (...parts: string[]) => parts.map((part) => `server/src/host/${part}`);
const SERVICES = host('auth', 'rest', 'storage', 'realtime', 'functions', 'gateway');
const LIB_IS_LOWEST = 'In the host lib/ is below limits/, and limits/ below db/.';
const [PRODUCT, CLI, MAIN] = ['product', 'cli', 'main.ts'].map((part) => `server/src/${part}`) as [
  string,
  string,
  string,
];

const ZONES: Zone[] = [
  ...LAYERS.flatMap((layer, at) =>
    apart(
      [`app/src/${layer}`],
      [...LAYERS.slice(at + 1), ...startFiles].map((above) => `app/src/${above}`),
      `${layer}/ may import only ${['npm packages', ...LAYERS.slice(0, at)].join(', ')}: take the thing as a parameter or a prop, or move what both need to a lower layer.`,
    ),
  ),
  ...features.map((feature) => ({
    target: `app/src/features/${feature}`,
    from: 'app/src/features',
    except: `app/src/features/${feature}`,
    message:
      'No feature imports another: let the screen compose both, or move what both need to entities/ or below.',
  })),
  ...apart(
    WITHOUT_SERVER.map((part) => `app/src/${part}`),
    ['app/src/data/supabase.ts'],
    'Only queries/, commands/, data/ and offline/ ask the server: give the request a file in the feature’s queries/ or commands/.',
  ),
  ...apart(['app/src'], ['server'], 'The app talks to the host over HTTP only.'),
  // The layers of server/src: host ← product ← main ← cli.
  ...apart(
    host('lib', 'db', 'limits', 'filters', 'jobs'),
    SERVICES,
    'This part of host/ is below the services.',
  ),
  ...apart(host('lib'), host('limits', 'db'), LIB_IS_LOWEST),
  ...apart(host('limits'), host('db'), LIB_IS_LOWEST),
  ...apart(SERVICES, SERVICES, 'No service imports another: main.ts wires them.'),
  ...apart(
    ['server/src/host'],
    [PRODUCT, CLI, MAIN],
    'host/ knows nothing of the product: let main.ts pass the thing in.',
  ),
  ...apart([PRODUCT], [CLI, MAIN], 'main.ts and cli/ are above product/: pass the thing in.'),
  ...apart([MAIN], [CLI], 'cli/ is above main.ts.'),
  ...apart(
    ['scripts', 'bench'],
    ['scripts', 'bench'],
    'scripts/ and bench/ do not import each other: what both need is in testing/.',
  ),
  ...['app/src', 'server/src', 'shared', 'supabase/functions'].map((target) => ({
    target,
    from: 'testing',
    isForTests: true,
    message: 'Only tests, benchmarks and the test runner import testing/.',
  })),
];

/** Matches relative imports outside the file's folder, except those of files shared by all workspaces, which have no #/ alias. */
const BEYOND_OWN_FOLDER = /^\.\.\/(?!(\.\.\/)*(shared|languages)\/)/;

const isBelow = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

/** Returns the file that an import specifier refers to, relative to the repository's root; null for a package. */
function resolved(specifier: string, file: string): string | null {
  if (specifier.startsWith('#/'))
    return path.posix.join(file.startsWith('app/') ? 'app/src' : 'server/src', specifier.slice(2));
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null;
}

export const directions: Rule = {
  create(context: Context) {
    const file = path.relative(ROOT, context.filename).split(path.sep).join('/');
    const isTest = /\.test\.tsx?$/.test(file);
    const zones = ZONES.filter(
      ({ target, isForTests }) => isBelow(file, target) && !(isForTests && isTest),
    );
    const isApp = isBelow(file, 'app/src') && !isTest;
    if (zones.length === 0 && !isApp) return {};
    const check = ({ source }: Node<{ source: Node<{ value?: unknown }> | null }>) => {
      if (typeof source?.value !== 'string') return;
      if (isApp && BEYOND_OWN_FOLDER.test(source.value))
        context.report({ node: source, message: 'Beyond the own folder, import with #/.' });
      const imported = resolved(source.value, file);
      if (imported === null) return;
      for (const { from, except, message } of zones)
        if (isBelow(imported, from) && !(except && isBelow(imported, except)))
          context.report({ node: source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
