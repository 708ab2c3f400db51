// Hours of shade a day as people say it.
type ShadeWord = 'none' | 'little' | 'some' | 'most' | 'all';

/** @param hours shaded hours of a day's twelve */
export function shadeWord(hours: number): ShadeWord {
  if (hours === 0) return 'none';
  if (hours < 3) return 'little';
  if (hours < 6) return 'some';
  return hours < 10 ? 'most' : 'all';
}
