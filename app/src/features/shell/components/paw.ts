// The shape of our paw (index.html draws the same as the preloader).
export const PAW_PADS = [
  [20, 22, 6, 8],
  [44, 22, 6, 8],
  [9, 35, 5, 7],
  [55, 35, 5, 7],
] as const;

export const PAW_PALM =
  'M32 30c8 0 17 10 17 18 0 6-5 8-9 8-3 0-5-1-8-1s-5 1-8 1c-4 0-9-2-9-8 0-8 9-18 17-18z';
