// The Range header of HTTP: one range of bytes of something whose size is known.

export interface ByteRange {
  start: number;
  end: number;
}

/** Reads a Range header. Returns null without one, or for a form that may be ignored; 'unsatisfiable' for one that lies outside. */
export function readByteRange(
  header: string | null,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start > end ? 'unsatisfiable' : { start, end };
}
