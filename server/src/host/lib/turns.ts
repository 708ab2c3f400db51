// A few at once, the others in order: so that one kind of caller never holds everything there is.

/** Says that nobody's turn came in time. */
export class NoTurnError extends Error {}

/**
 * Makes a gate that lets so many through at once.
 * @param most how many at once
 * @param patience milliseconds that somebody waits at most
 * @throws NoTurnError (the gate) when the wait was too long
 */
export function createTurns(most: number, patience: number) {
  let running = 0;
  const waiting = new Set<() => void>();

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        clearTimeout(tired);
        resolve();
      };
      const tired = setTimeout(() => {
        waiting.delete(next);
        reject(new NoTurnError('No turn came in time'));
      }, patience);
      waiting.add(next);
    });
  }

  return async function through<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await turn();
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place, so that nobody can slip in between.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}
