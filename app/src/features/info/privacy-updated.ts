// When the privacy policy last changed; changes together with its text.
export const PRIVACY_UPDATED = { iso: '2025-07-01', shown: '1.7.25' };
