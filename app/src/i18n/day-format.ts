// How a date is written beside a review or a friend; the style 'medium' would be bare numbers in Arabic.
export const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
