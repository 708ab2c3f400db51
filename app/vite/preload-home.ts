// Vite plugin: makes index.html preload the files of the home map. The entry requests them only after it has run, which leaves a slow
// connection idle and costs a round trip.
import type { Plugin, Rolldown } from 'vite';
import { LANGUAGE_CODES } from '../../shared/languages.ts';

type Chunk = Rolldown.OutputChunk;

/**
 * Runs in the page, after the style sheet that the first paint needs, because the preloaded files share its connection. Their names
 * are in an attribute, so that the script and its hash in the policy are the same in each build.
 */
function preload(): void {
  if (location.pathname !== '/') return;
  const files: Record<string, string[]> = JSON.parse(document.currentScript?.dataset.files ?? '{}');
  for (const file of files[document.documentElement.lang] ?? []) {
    const link = document.createElement('link');
    const isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}

export function preloadHome(): Plugin {
  return {
    name: 'packpark:preload-home',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk');
        const chunkOf = (module: RegExp) => {
          const found = chunks.find(({ facadeModuleId }) => module.test(facadeModuleId ?? ''));
          if (!found) throw new Error(`No chunk is built from ${module}`);
          return found.fileName;
        };
        const initial = new Set(entry && [entry.fileName, ...entry.imports]);
        /** The files of a chunk and of its static imports that index.html does not load already. */
        const closure = (name: string, found = new Set<string>()): Set<string> => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || found.has(name) || initial.has(name)) return found;
          found.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
          for (const imported of chunk.imports) closure(imported, found);
          return found;
        };
        const home = closure(chunkOf(/\/routes\/index\.tsx\?tsr-split=component/));
        const files = Object.fromEntries(
          LANGUAGE_CODES.map((language) => [
            language,
            [
              ...closure(chunkOf(new RegExp(`/languages/${language}/app\\.catalogue`))),
              ...home,
            ].map((file) => `/${file}`),
          ]),
        );
        return [
          {
            tag: 'script',
            attrs: { 'data-files': JSON.stringify(files) },
            children: `(${preload})()`,
            injectTo: 'body',
          },
        ];
      },
    },
  };
}
