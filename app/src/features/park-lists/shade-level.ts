// Converts hours of shade per day to a level with a label.
type ShadeLevel = 'none' | 'little' | 'some' | 'most' | 'all';

/** @param hours hours of shade in a 12-hour day */
export function shadeLevel(hours: number): ShadeLevel {
  if (hours === 0) return 'none';
  if (hours < 3) return 'little';
  if (hours < 6) return 'some';
  return hours < 10 ? 'most' : 'all';
}
