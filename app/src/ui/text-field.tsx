// A single-line text field. A password field has a button that shows it, and the maximum length of the server.
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { classNames } from '#/ui/class-names.ts';
import { Field, type FieldTexts, partFieldProps } from '#/ui/field.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { MAX_PASSWORD_LENGTH } from '../../../shared/input-lengths.ts';
import styles from './field.module.css';

interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id' | 'children'> {
  icon?: LucideIcon;
}

/** Text is `dir="auto"`; email, password and tel are LTR in every language. */
export function TextField({ icon, type = 'text', ...props }: TextFieldProps) {
  const { field, own } = partFieldProps(props);
  const t = useT();
  const [shown, setShown] = useState(false);
  const password = type === 'password';
  const written = type === 'text' || type === 'search';
  return (
    <Field {...field}>
      {(control) => (
        <span className={styles.box}>
          {icon && <Icon of={icon} className={styles.leading} />}
          <input
            dir={written ? 'auto' : ['email', 'password', 'tel'].includes(type) ? 'ltr' : undefined}
            // Without a placeholder, use a space, because base.css detects empty fields by their placeholder.
            placeholder={written ? ' ' : undefined}
            maxLength={password ? MAX_PASSWORD_LENGTH : undefined}
            {...own}
            {...control}
            type={password && shown ? 'text' : type}
            className={classNames(
              styles.control,
              icon && styles.withLeading,
              password && styles.withTrailing,
            )}
          />
          {password && (
            <IconButton
              className={styles.trailing}
              icon={shown ? EyeOff : Eye}
              label={t(shown ? 'ui.field.hidePassword' : 'ui.field.showPassword')}
              onClick={() => setShown(!shown)}
            />
          )}
        </span>
      )}
    </Field>
  );
}
