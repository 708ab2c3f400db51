/** What one's own dogs ask of a park, as far as it is known; none of it leaves the device. */
export interface DogNeeds {
  /** A small dog, which is safer among its own size. */
  small: boolean;
  /** Too young to come back when it is called. */
  puppy: boolean;
  /** A short nose, a thick coat, an old dog, or one that dislikes the heat. */
  heat: boolean;
  /** It dislikes crowds, noise or other dogs. */
  shy: boolean;
}
