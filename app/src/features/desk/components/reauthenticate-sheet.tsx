// Asks for password and second factor again before an action that a stolen session must not perform.
import { useState } from 'react';
import { reauthenticate } from '#/features/desk/commands/site.ts';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { CodeField } from '#/ui/code-field.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import styles from './desk.module.css';

/** The host's minimum length. */
const MIN_PASSPHRASE = 12;

interface ReauthenticateSheetProps {
  title: string;
  /** Description of the action. */
  about: string;
  /** True if the sheet also asks for a passphrase, which `onReauthenticated` receives. */
  passphrase?: boolean;
  onClose: () => void;
  /** Performs the action. The sheet shows an error that it throws. */
  onReauthenticated: (passphrase: string) => Promise<void>;
}

export function ReauthenticateSheet(props: ReauthenticateSheetProps) {
  const { title, about, passphrase, onClose, onReauthenticated } = props;
  const text = useDeskText();
  const t = useT();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [phrase, setPhrase] = useState('');
  const [error, setError] = useState<string | null>(null);
  const isShort = passphrase === true && phrase.length < MIN_PASSPHRASE;
  const { busy, onSubmit } = useSubmit(async () => {
    try {
      if (isShort) throw new Error(text.site.tooShort);
      await reauthenticate(password, code);
      await onReauthenticated(phrase);
    } catch (thrown) {
      setError(isShort ? text.site.tooShort : errorText(thrown));
      focusFirstProblem();
    }
  });
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setError(null);
  };
  return (
    <Sheet onClose={onClose} title={title} size="small">
      <form noValidate className={styles.stack} onSubmit={onSubmit}>
        <p>{about}</p>
        {passphrase && (
          <TextField
            label={text.site.passphrase}
            hint={text.site.passphraseHint}
            type="password"
            autoComplete="new-password"
            value={phrase}
            error={isShort ? error : null}
            onChange={(event) => change(setPhrase)(event.target.value)}
          />
        )}
        <TextField
          label={t('ui.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          error={isShort ? null : error}
          onChange={(event) => change(setPassword)(event.target.value)}
        />
        <CodeField value={code} error={null} onChange={change(setCode)} />
        <Button type="submit" wide variant="danger" busy={busy}>
          {title}
        </Button>
      </form>
    </Sheet>
  );
}
