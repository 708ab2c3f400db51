// A small, repeatable random generator (mulberry32), so that a run that failed can be run again.

/**
 * @param seed any whole number
 * @returns next() from 0 to below 1, upTo(n) whole numbers below n, pick(list), chance(share)
 */
export function seeded(seed) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (n) => Math.floor(next() * n);
  const pick = (list) => list[upTo(list.length)];
  return { next, upTo, pick, chance: (share) => next() < share };
}
