// Lint rule: comments and test titles must avoid habits that make prose hard to read, and retired names must not be used again.
import type { Context, Node, Rule } from './rule.ts';

const STARTS = /^(?:What|Whether|Who|Whose|Whoever|Of)\b(?! \S+\?)/;
const PHRASES = /\b(is no(?! longer)|by itself|anew|at once|whoever|of its own|an own|any more)\b/i;
const NAMES =
  /\b(useSay|useSaid|useTellHeight|tellTabs|MeasureSheet|ProveSheet|proveAgain|PacedQueue|GaveUpError|isSentence|runNamed|\w+WordsOf|wordsOf|forget[A-Z]\w*|(?:MOST|LONGEST|LATEST|LEAST)_[A-Z_]+)\b/;

/** Returns the first problem of a comment or title, or null. */
export function languageProblem(text: string): string | null {
  const sentences = text.split(/(?<=[.!?]|^)\s+/).map((sentence) => sentence.trim());
  const start = sentences.find((sentence) => STARTS.test(sentence));
  if (start !== undefined)
    return `"${start.slice(0, 40)}": start with the noun, or with a verb for a function.`;
  const phrase = PHRASES.exec(text)?.[1];
  return phrase === undefined ? null : `"${phrase}": use the ordinary word.`;
}

/** Returns the text of a comment without its markup. */
const plain = (comment: string) =>
  comment
    .replaceAll(/^\s*\*? ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const TITLED = new Set(['test', 'it', 'describe']);

type Callee = Node<{ name?: string; object?: Callee; callee?: Callee }>;
const calledName = (callee: Callee): string | undefined =>
  callee.name ??
  (callee.object ? calledName(callee.object) : callee.callee && calledName(callee.callee));

export const plainLanguage: Rule = {
  create(context: Context) {
    const check = (node: Node, text: string) => {
      const problem = languageProblem(text);
      if (problem !== null) context.report({ node, message: problem });
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          check(comment, plain(comment.value));
      },
      CallExpression({
        callee,
        arguments: [title],
      }: Node<{ callee: Callee; arguments: Node<{ value?: unknown }>[] }>) {
        if (title?.type === 'Literal' && TITLED.has(calledName(callee) ?? ''))
          check(title, String(title.value));
      },
      Identifier(node: Node<{ name: string }>) {
        const old = NAMES.exec(node.name)?.[1];
        if (old !== undefined)
          context.report({ node, message: `${old} is an old name: use the term of the platform.` });
      },
    };
  },
};
