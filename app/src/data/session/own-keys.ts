// Query keys of the account's own records, which the session reads and refreshes.
export const ownUserKey = (userId: string) => ['users', userId, 'own'] as const;

/** The role at the desk, which depends on the session's second factor. */
export const deskRoleKey = (userId: string | null) => ['desk', 'role', userId] as const;

export const myConsentsKey = ['consents', 'mine'] as const;
