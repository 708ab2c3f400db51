// Query keys of the account's own records, which the session reads and refreshes itself.
export const ownUserKey = (userId: string) => ['users', userId, 'own'] as const;

export const myConsentsKey = ['consents', 'mine'] as const;
