// Computes how the dogs at a park suit a dog, on the device and from published traits. Pure.
import { dogNeeds, OLD_YEARS } from '#/features/dogs/dog-needs.ts';
import { type Dog, dogAge } from '#/features/dogs/dog.ts';

export interface Traits {
  size?: Dog['size'] | 'MIXED';
  energy?: Dog['energy'] | 'MIXED';
  puppies?: 'SOME' | 'MOST';
}

export type Fit = 'crowd' | 'large' | 'lively' | 'puppies' | 'calm' | 'good' | 'fine';

/** Returns what matters most about the other dogs for one dog. */
export function companyFit(dog: Dog, company: Traits, today = new Date()): Fit {
  const { shy, small, puppy } = dogNeeds([dog], today);
  const isOld = dogAge(dog.birthday, today).years >= OLD_YEARS;
  // Traits are published only when many dogs are there, so it is crowded.
  if (shy) return 'crowd';
  if ((small || puppy) && company.size === 'LARGE') return 'large';
  if (company.energy === 'HIGH' && (isOld || dog.energy === 'LOW')) return 'lively';
  if (isOld && company.puppies) return 'puppies';
  if (puppy && company.puppies) return 'good';
  if (company.energy === 'LOW' && dog.energy === 'HIGH') return 'calm';
  const matches = (['size', 'energy'] as const).some(
    (trait) => dog[trait] !== null && dog[trait] === company[trait],
  );
  return matches ? 'good' : 'fine';
}
