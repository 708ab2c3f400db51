// How a list of things is written: 'a, b, c'. The style 'long' joins the last one with a hyphen in Hebrew, which is not how people write.
export const LIST = { type: 'unit', style: 'short' } as const;
