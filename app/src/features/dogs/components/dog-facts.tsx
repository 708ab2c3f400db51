// A dog's details: facts as chips, likes and dislikes, and the owner's description.
import { Heart, HeartOff, Mars, Ruler, ShieldAlert, Venus, Zap } from 'lucide-react';
import { type Dog, splitTags } from '#/features/dogs/dog.ts';
import { languageOf } from '#/i18n/written-text.ts';
import { useT } from '#/i18n/i18n.ts';
import { Chip } from '#/ui/chip.tsx';
import styles from './dog-facts.module.css';

export function DogFacts({ dog }: { dog: Dog }) {
  const t = useT();
  return (
    <div className="column-4">
      <div className="wrap-2">
        <Chip icon={dog.gender === 'MALE' ? Mars : Venus}>{t(`dogs.gender.${dog.gender}`)}</Chip>
        {dog.size && <Chip icon={Ruler}>{t(`dogs.size.${dog.size}`, { gender: dog.gender })}</Chip>}
        {dog.energy && (
          <Chip icon={Zap}>{t(`dogs.energy.${dog.energy}`, { gender: dog.gender })}</Chip>
        )}
        {dog.possessive && (
          <Chip icon={ShieldAlert} tone="sand">
            {t('dogs.facts.possessive')}
          </Chip>
        )}
      </div>
      {dog.temperament && (
        <p dir="auto" lang={languageOf(dog.temperament)} className={styles.text}>
          {dog.temperament}
        </p>
      )}
      <Tastes title={t('dogs.form.likes', { gender: dog.gender })} text={dog.likes} liked />
      <Tastes title={t('dogs.form.dislikes', { gender: dog.gender })} text={dog.dislikes} />
      {dog.description && (
        <p dir="auto" lang={languageOf(dog.description)} className={styles.text}>
          {dog.description}
        </p>
      )}
    </div>
  );
}

interface TastesProps {
  title: string;
  text: string | null;
  liked?: boolean;
}

function Tastes({ title, text, liked = false }: TastesProps) {
  const tags = splitTags(text);
  if (tags.length === 0) return null;
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      <ul className="wrap-2">
        {tags.map((tag) => (
          <li key={tag}>
            <Chip icon={liked ? Heart : HeartOff} tone={liked ? 'park' : 'neutral'}>
              <bdi>{tag}</bdi>
            </Chip>
          </li>
        ))}
      </ul>
    </section>
  );
}
