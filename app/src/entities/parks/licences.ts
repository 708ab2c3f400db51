// Where the licence of the facts of parks can be read.
export const ODBL_URL = 'https://opendatacommons.org/licenses/odbl/';
