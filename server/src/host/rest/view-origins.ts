// Which table column each column of a view comes from, read from the view's stored query tree.

/** A column's origin: the table's (or another view's) oid and the column's number there. */
export interface Origin {
  relation: number;
  column: number;
}

/**
 * Reads the target list of a view's rule (`pg_rewrite.ev_action`), in which PostgreSQL notes for each plain column
 * where it comes from. Expressions have no origin.
 * @returns origins by the view's column number
 */
export function viewOrigins(rule: string): Map<number, Origin> {
  const origins = new Map<number, Origin>();
  // Depth 1 is the view's own query; its target entries are the nodes of depth 2. Braces in names are escaped.
  let depth = 0;
  let entry = '';
  for (let i = 0; i < rule.length; i += 1) {
    const char = rule[i];
    if (char === '\\') {
      i += 1;
    } else if (char === '{') {
      depth += 1;
      if (depth === 2) entry = rule.startsWith('{TARGETENTRY', i) ? ' ' : '';
    } else if (char === '}') {
      depth -= 1;
      if (depth === 1 && entry !== '') {
        const number = (name: string) =>
          Number(new RegExp(` :${name} (\\d+) ?`).exec(entry)?.[1] ?? 0);
        const origin = { relation: number('resorigtbl'), column: number('resorigcol') };
        if (origin.relation !== 0 && !entry.includes(':resjunk true'))
          origins.set(number('resno'), origin);
        entry = '';
      }
    } else if (depth === 2 && entry !== '') entry += char;
  }
  return origins;
}
