// How a list of things is written: 'a, b, c'. The style 'long' joins the last one with a hyphen in Hebrew, as nobody writes.
export const LIST = { type: 'unit', style: 'short' } as const;
