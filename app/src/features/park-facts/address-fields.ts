// Fills in the city and address of a new park from an address search, without overwriting typed text.

export interface AddressFields {
  /** Empty if unknown. */
  city: string;
  /** Street and number; empty if unknown. */
  address: string;
}

export const EMPTY_ADDRESS: AddressFields = { city: '', address: '' };

/** Returns the fields after the user has chosen a place. @param filledIn values of the previous search, which are replaced */
export function fieldsAfterSearch(
  fields: AddressFields,
  filledIn: AddressFields,
  found: AddressFields,
): AddressFields {
  const after = (name: keyof AddressFields) =>
    fields[name].trim() === '' || fields[name] === filledIn[name] ? found[name] : fields[name];
  return { city: after('city'), address: after('address') };
}
