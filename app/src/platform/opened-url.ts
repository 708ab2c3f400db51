/** The URL with which the page was opened. Loaded before the official client, which removes the code of a link from the URL. */
export const openedUrl = globalThis.location?.href ?? '';
