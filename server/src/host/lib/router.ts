// A router for services. In a pattern, `:name` matches one segment of the path and `*name` the rest of the path.

interface Match<Handler> {
  handler: Handler;
  /** The matched segments by their names, still percent-encoded. */
  params: Record<string, string>;
}

const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll('.', String.raw`\.`)
      .replace(/:(\w+)/g, '(?<$1>[^/]+)')
      .replace(/\*(\w+)/g, '(?<$1>.+)')}$`,
  );

/**
 * Returns a function that finds the first route that matches a method and a path.
 * @param routes the methods of each route are separated by spaces
 */
export function createRouter<Handler>(
  routes: readonly [methods: string, pattern: string, handler: Handler][],
) {
  const compiled = routes.map(([methods, pattern, handler]) => ({
    methods: methods.split(' '),
    path: patternOf(pattern),
    handler,
  }));
  return (method: string, path: string): Match<Handler> | 'notFound' | 'wrongMethod' => {
    let known = false;
    for (const route of compiled) {
      const match = route.path.exec(path);
      if (!match) continue;
      if (route.methods.includes(method))
        return { handler: route.handler, params: { ...match.groups } };
      known = true;
    }
    return known ? 'wrongMethod' : 'notFound';
  };
}
