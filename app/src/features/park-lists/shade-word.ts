// Converts hours of shade per day to a level with a label.
type ShadeWord = 'none' | 'little' | 'some' | 'most' | 'all';

/** @param hours hours of shade in a 12-hour day */
export function shadeWord(hours: number): ShadeWord {
  if (hours === 0) return 'none';
  if (hours < 3) return 'little';
  if (hours < 6) return 'some';
  return hours < 10 ? 'most' : 'all';
}
