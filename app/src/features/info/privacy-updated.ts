// When the privacy policy last changed; changes together with its text.
export const PRIVACY_UPDATED = { iso: '2026-11-26', shown: '26.11.26' };
