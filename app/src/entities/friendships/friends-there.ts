// A friend who is at a park now, shown with a photo of their dog.
import { avatarUrl } from '#/entities/photos/photo-url.ts';

export interface FriendThere {
  id: string;
  name: string;
  /** Path of a dog's photo in the users bucket; null if there is none. */
  picture: string | null;
  park_id: number;
  since: string;
  /** The dogs that came along. */
  dogs: { id: string; name: string; photo: string | null }[];
}

/** Returns the photo URL of a dog that came along, otherwise of any of the friend's dogs; null if there is none. */
export const avatarOf = ({ dogs, picture }: FriendThere): string | null =>
  avatarUrl(dogs.find(({ photo }) => photo !== null)?.photo ?? picture);
