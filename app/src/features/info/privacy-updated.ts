// The date of the privacy policy's last change. Update it together with the text.
export const PRIVACY_UPDATED = { iso: '2026-11-26', shown: '26.11.26' };
