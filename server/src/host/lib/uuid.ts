// Validates UUIDs before they are sent to PostgreSQL, which would raise an error instead of returning no row.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Accepts upper and lower case and any UUID version. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value);
