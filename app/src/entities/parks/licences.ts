// URL of the licence of park facts.
export const ODBL_URL = 'https://opendatacommons.org/licenses/odbl/';
