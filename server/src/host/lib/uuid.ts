// What a UUID looks like: PostgreSQL refuses anything else with an error, where 'there is no such row' is meant.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In either case of letters; the version is not looked at. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value);
