// What is stale once two people's friendship changed.
import { peopleKeys } from '#/data/people-keys.ts';

export const friendshipKeys = (userId: string) =>
  [peopleKeys.page(userId), peopleKeys.friends, peopleKeys.searches] as const;
