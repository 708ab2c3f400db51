// Format of lists: 'a, b, c'. In Hebrew, the style 'long' would join the last item with a hyphen, which is unusual.
export const LIST = { type: 'unit', style: 'short' } as const;
