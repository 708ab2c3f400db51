// Date format for reviews and friends. The style 'medium' is only digits in Arabic.
export const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
