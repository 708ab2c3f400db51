// The operators that filters may use. A new one is a line here; realtime offers it once match.ts can evaluate it.

interface OperatorTraits {
  /** The operator as SQL writes it. */
  sql: string;
  /** Whether `eq(any).{1,2}` and `eq(all).{1,2}` are allowed. */
  quantifiable?: true;
}

export const OPERATORS = {
  eq: { sql: '=', quantifiable: true },
  neq: { sql: '<>' },
  gt: { sql: '>', quantifiable: true },
  gte: { sql: '>=', quantifiable: true },
  lt: { sql: '<', quantifiable: true },
  lte: { sql: '<=', quantifiable: true },
  like: { sql: 'like', quantifiable: true },
  ilike: { sql: 'ilike', quantifiable: true },
  match: { sql: '~', quantifiable: true },
  imatch: { sql: '~*', quantifiable: true },
  cs: { sql: '@>' },
  cd: { sql: '<@' },
  ov: { sql: '&&' },
  sl: { sql: '<<' },
  sr: { sql: '>>' },
  nxr: { sql: '&<' },
  nxl: { sql: '&>' },
  adj: { sql: '-|-' },
  isdistinct: { sql: 'is distinct from' },
} as const satisfies Record<string, OperatorTraits>;

/** Full-text searches, with the functions that read their values. */
export const SEARCH_OPERATORS = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;

export type Operator = keyof typeof OPERATORS;
export type SearchOperator = keyof typeof SEARCH_OPERATORS;

export const isOperator = (word: string): word is Operator => Object.hasOwn(OPERATORS, word);
export const isSearchOperator = (word: string): word is SearchOperator =>
  Object.hasOwn(SEARCH_OPERATORS, word);

export function isQuantifiable(operator: Operator): boolean {
  const traits: OperatorTraits = OPERATORS[operator];
  return traits.quantifiable === true;
}

/** The pattern of `like` and `ilike`: clients may write `*` for `%`, which is clumsy in a URL. */
export const likePattern = (value: string): string => value.replaceAll('*', '%');
