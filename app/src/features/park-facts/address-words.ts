// Fills in the city and address of a new park from an address search, without overwriting typed text.

export interface AddressWords {
  /** Empty if unknown. */
  city: string;
  /** Street and number, or empty. */
  address: string;
}

export const NO_WORDS: AddressWords = { city: '', address: '' };

/** Returns the fields after a place was chosen. @param written values of the previous search, which are replaced */
export function wordsAfterSearch(
  fields: AddressWords,
  written: AddressWords,
  found: AddressWords,
): AddressWords {
  const after = (name: keyof AddressWords) =>
    fields[name].trim() === '' || fields[name] === written[name] ? found[name] : fields[name];
  return { city: after('city'), address: after('address') };
}
