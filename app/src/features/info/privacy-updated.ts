// When the privacy policy last changed; update it together with the text.
export const PRIVACY_UPDATED = { iso: '2026-11-26', shown: '26.11.26' };
