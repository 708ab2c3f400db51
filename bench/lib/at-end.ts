// What a benchmark has opened is closed when it ends, however it ends; the last one first.
const opened: (() => unknown)[] = [];

export const atEnd = (close: () => unknown): void => void opened.push(close);

/** @throws the last failure, after all are closed */
export async function closeAll(): Promise<void> {
  const close = opened.pop();
  if (!close) return;
  try {
    await close();
  } finally {
    await closeAll();
  }
}
