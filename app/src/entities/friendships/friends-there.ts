// A friend who is at a park now, and the face that stands for them: their dog's.
import { faceUrl } from '#/entities/photos/photo-url.ts';

export interface FriendThere {
  id: string;
  name: string;
  /** Path of a dog's photo in the users bucket; null if there is none. */
  picture: string | null;
  park_id: number;
  since: string;
  /** Those who came along. */
  dogs: { id: string; name: string; photo: string | null }[];
}

/** The address of a photo of a dog who came along, else of any dog of theirs; null: none. */
export const faceOf = ({ dogs, picture }: FriendThere): string | null =>
  faceUrl(dogs.find(({ photo }) => photo !== null)?.photo ?? picture);
