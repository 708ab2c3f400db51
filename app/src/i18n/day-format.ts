// Date format for reviews and friends. The style 'medium' is not used, because in Arabic it contains only digits.
export const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
