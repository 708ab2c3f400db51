// The town's own address, which gets a mail about each confirmed hazard once the code that was sent there is entered.
import { useState } from 'react';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { confirmTownMail, setTownMail } from '#/features/desk/commands/town.ts';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';

interface TownMailProps {
  /** Null: none. */
  mail: string | null;
  confirmed: boolean;
  onChanged: () => Promise<void>;
}

export function TownMail({ mail, confirmed, onChanged }: TownMailProps) {
  const text = useDeskText();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  async function attempt(task: () => Promise<unknown>): Promise<void> {
    try {
      if ((await task()) !== false) {
        setTyped('');
        return await onChanged();
      }
      setError(text.town.mail.wrong);
    } catch (thrown) {
      setError(errorText(thrown));
    }
    focusFirstProblem();
  }
  const { busy, onSubmit } = useSubmit(() =>
    attempt(() => (mail === null ? setTownMail(typed.trim()) : confirmTownMail(typed))),
  );
  const address = `\u2068${mail}\u2069`;
  const said = confirmed ? text.town.mail.on : text.town.mail.sent;
  return (
    <form noValidate className="grid-3" onSubmit={onSubmit}>
      <p>{mail === null ? text.town.mail.about : fill(said, { address })}</p>
      {(mail === null || !confirmed) && (
        <TextField
          label={mail === null ? text.town.mail.address : text.town.mail.code}
          type={mail === null ? 'email' : 'text'}
          dir="ltr"
          autoComplete="off"
          maxLength={254}
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(null);
          }}
        />
      )}
      <div className="wrap-2">
        {(mail === null || !confirmed) && (
          <Button type="submit" variant="secondary" busy={busy} disabled={typed.trim() === ''}>
            {mail === null ? text.town.mail.send : text.town.mail.confirm}
          </Button>
        )}
        {mail !== null && (
          <Button
            variant="secondary"
            disabled={busy}
            onClick={() => void attempt(() => setTownMail(null))}
          >
            {text.town.mail.off}
          </Button>
        )}
      </div>
    </form>
  );
}
