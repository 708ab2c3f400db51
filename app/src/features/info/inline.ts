// Parses the inline markup of long texts: links, and placeholders for the site's configuration.
/** The operator's email addresses, name and street address, the site's name, and the minimum age. */
export type Place = 'contact' | 'privacy' | 'accessibility' | 'operator' | 'site' | 'age';

type InlinePart =
  | { type: 'text'; text: string }
  /** Text that is shown only if the minimum age is below 16. */
  | { type: 'older'; text: string }
  | { type: 'link'; text: string; to: string }
  | { type: 'outside'; text: string; href: string }
  | { type: Place };

const MARK =
  /\[([^\]]+)\]\((?:(\/[^)\s]*)|(https:\/\/[^)\s]+))\)|\{(contact|privacy|accessibility|operator|site|age)\}|\{older:([^}]+)\}/g;

export function parseInline(text: string): InlinePart[] {
  const parts: InlinePart[] = [];
  let from = 0;
  const plain = (until: number) => {
    if (until > from) parts.push({ type: 'text', text: text.slice(from, until) });
  };
  for (const mark of text.matchAll(MARK)) {
    plain(mark.index);
    const [whole, label, to, href, name, older] = mark;
    if (label !== undefined && to !== undefined) parts.push({ type: 'link', text: label, to });
    else if (label !== undefined && href !== undefined)
      parts.push({ type: 'outside', text: label, href });
    else if (older !== undefined) parts.push({ type: 'older', text: older });
    else parts.push({ type: name as Place });
    from = mark.index + whole.length;
  }
  plain(text.length);
  return parts;
}
