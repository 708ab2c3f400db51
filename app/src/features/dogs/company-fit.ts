// How the company at a park suits a dog. Pure; computed on the device from the published traits.
import { dogNeeds, OLD_YEARS } from '#/features/dogs/dog-needs.ts';
import { type Dog, dogAge } from '#/features/dogs/dog.ts';

export interface Traits {
  size?: Dog['size'] | 'MIXED';
  energy?: Dog['energy'] | 'MIXED';
  puppies?: 'SOME' | 'MOST';
}

export type Fit = 'crowd' | 'large' | 'lively' | 'puppies' | 'calm' | 'good' | 'fine';

/** The most important thing about the company for one dog. */
export function companyFit(dog: Dog, company: Traits, today = new Date()): Fit {
  const { shy, small, puppy } = dogNeeds([dog], today);
  const isOld = dogAge(dog.birthday, today).years >= OLD_YEARS;
  // Traits are published only if many dogs are there.
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
