// Closes everything that a benchmark has opened, in reverse order, even if the benchmark fails.
const opened: (() => unknown)[] = [];

export const atEnd = (close: () => unknown): void => void opened.push(close);

/** @throws the last failure, after everything has been closed */
export async function closeAll(): Promise<void> {
  const close = opened.pop();
  if (!close) return;
  try {
    await close();
  } finally {
    await closeAll();
  }
}
