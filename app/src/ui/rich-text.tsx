// A translated sentence with elements in it: `Read the <terms>terms</terms>.`
import { Fragment, type ReactNode } from 'react';

interface RichTextProps {
  /** Translated, with `<name>…</name>` around the parts; tags do not nest. */
  text: string;
  tags: Record<string, (content: string) => ReactNode>;
}

const TAG = /<(\w+)>(.*?)<\/\1>/g;

export function RichText({ text, tags }: RichTextProps) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(TAG)) {
    const [whole, name = '', content = ''] = match;
    parts.push(
      text.slice(from, match.index),
      <Fragment key={match.index}>{tags[name]?.(content) ?? content}</Fragment>,
    );
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)];
}
