// Finds the most similar name, for hints such as "Perhaps you meant …".

/** Returns the pairs of adjacent letters, including the start and the end of the text. */
function pairs(text: string): Set<string> {
  const marked = `^${text.toLowerCase().slice(0, 100)}$`;
  const found = new Set<string>();
  for (let i = 0; i < marked.length - 1; i += 1) found.add(marked.slice(i, i + 2));
  return found;
}

/** Returns the candidate that has the most letter pairs in common with `name`, or null if none is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string | null {
  const wanted = pairs(name);
  let best: string | null = null;
  let bestScore = 0.5;
  for (const candidate of candidates) {
    const have = pairs(candidate);
    let shared = 0;
    for (const pair of wanted) if (have.has(pair)) shared += 1;
    const score = (2 * shared) / (wanted.size + have.size);
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}
