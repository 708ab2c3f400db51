// Chooses which of the user's dogs come along, as large photo buttons with checkboxes.
import { useT } from '#/i18n/i18n.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import styles from './companion-choice.module.css';

export interface Companion {
  id: string;
  name: string;
  /** Path of the photo in the users bucket; null without a photo. */
  photo: string | null;
  /** True if the dog belongs to another user, and this user is its keeper or walker. */
  kept?: boolean;
}

interface CompanionChoiceProps {
  dogs: readonly Companion[];
  coming: readonly string[];
  onChange: (dogId: string) => void;
}

export function CompanionChoice({ dogs, coming, onChange }: CompanionChoiceProps) {
  const t = useT();
  return (
    <FieldGroup
      label={t('checkIns.sheet.dogs')}
      error={coming.length === 0 ? t('checkIns.sheet.noDog') : null}
    >
      <div className={styles.dogs}>
        {dogs.map((dog) => (
          <label key={dog.id} className={styles.dog}>
            <input
              type="checkbox"
              checked={coming.includes(dog.id)}
              aria-invalid={coming.length === 0 ? true : undefined}
              className={styles.input}
              onChange={() => onChange(dog.id)}
            />
            <Avatar name={dog.name} src={avatarUrl(dog.photo)} size={80} className={styles.photo} />
            <bdi className={styles.name}>{dog.name}</bdi>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
