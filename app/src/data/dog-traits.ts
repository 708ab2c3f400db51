// What people say of a dog's size and temper in a word; the park's page counts by it.
export const SIZES = ['SMALL', 'MEDIUM', 'LARGE'] as const;
export const ENERGIES = ['LOW', 'MEDIUM', 'HIGH'] as const;
