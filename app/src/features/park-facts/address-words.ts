// City and address of a new park, as an address search writes them into its form without changing what was typed.

export interface AddressWords {
  /** Empty where it is not known. */
  city: string;
  /** Street and number, or empty. */
  address: string;
}

export const NO_WORDS: AddressWords = { city: '', address: '' };

/** What fields hold once a place was chosen. @param written what the search before wrote: it goes with its place */
export function wordsAfterSearch(
  fields: AddressWords,
  written: AddressWords,
  found: AddressWords,
): AddressWords {
  const after = (name: keyof AddressWords) =>
    fields[name].trim() === '' || fields[name] === written[name] ? found[name] : fields[name];
  return { city: after('city'), address: after('address') };
}
