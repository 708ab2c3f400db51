// What a benchmark has opened is closed when it ends, however it ends; the last one first.
const opened: (() => unknown)[] = [];

export const atEnd = (close: () => unknown): void => void opened.push(close);

export async function closeAll(): Promise<void> {
  for (let close = opened.pop(); close; close = opened.pop()) await close();
}
