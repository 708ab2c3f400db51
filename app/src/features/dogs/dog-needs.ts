// Derives the needs of the user's dogs from size, age, breed and dislikes. Parks are ranked by them.
import type { DogNeeds } from '#/entities/dogs/dog-traits.ts';
import { type Dog, dogAge } from '#/features/dogs/dog.ts';

const SHORT_NOSED =
  /^(affenpinscher|boston_terrier|boxer|brussels_griffon|bullmastiff|cavalier|dogue_de_bordeaux|english_bulldog|french_bulldog|japanese_chin|lhasa_apso|neapolitan_mastiff|pekingese|pug|shih_tzu)$/;
const THICK_COATED =
  /^(akita|alaskan_malamute|american_eskimo|bernese_mountain_dog|caucasian_shepherd|central_asian_shepherd|chow_chow|collie|eurasier|finnish_spitz|great_pyrenees|hovawart|keeshond|komondor|leonberger|newfoundland|old_english_sheepdog|puli|saint_bernard|samoyed|siberian_husky|tibetan_mastiff|white_swiss_shepherd)$/;

/** Match dislikes of heat and of company in the three languages. */
const DISLIKES_HEAT = /heat|\bhot\b|sun|summer|חום|שמש|קיץ|حر|شمس|صيف/i;
const DISLIKES_COMPANY =
  /dog|crowd|nois|loud|puppies|כלבים|המון|צפוף|צפיפות|רעש|كلاب|زحام|ازدحام|ضجيج|ضوضاء/i;

const PUPPY_YEARS = 1;
export const OLD_YEARS = 10;

export function dogNeeds(dogs: readonly Dog[], today = new Date()): DogNeeds {
  const some = (test: (dog: Dog) => boolean) => dogs.some(test);
  const years = ({ birthday }: Dog) => dogAge(birthday, today).years;
  return {
    small: some(({ size }) => size === 'SMALL'),
    puppy: some((dog) => years(dog) < PUPPY_YEARS),
    heat: some(
      (dog) =>
        SHORT_NOSED.test(dog.breed) ||
        THICK_COATED.test(dog.breed) ||
        years(dog) >= OLD_YEARS ||
        DISLIKES_HEAT.test(dog.dislikes ?? ''),
    ),
    shy: some(({ dislikes }) => DISLIKES_COMPANY.test(dislikes ?? '')),
  };
}
