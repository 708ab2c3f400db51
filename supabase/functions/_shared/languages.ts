// The languages that parks and addresses are named in.
export const LANGUAGES = ['en', 'he', 'ar'] as const;
