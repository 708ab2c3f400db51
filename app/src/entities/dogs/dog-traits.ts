/** Needs of the user's dogs at a park, as far as they are known. They never leave the device. */
export interface DogNeeds {
  /** A small dog, which is safer among small dogs. */
  small: boolean;
  /** Too young to come back reliably when called. */
  puppy: boolean;
  /** A short nose, a thick coat, old age, or sensitive to heat. */
  heat: boolean;
  /** Dislikes crowds, noise or other dogs. */
  shy: boolean;
}
