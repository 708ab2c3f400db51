// The town's email address. Once it is confirmed with a code, a mail is sent there about each confirmed hazard.
import { MAX_TOWN_EMAIL } from '#/features/desk/desk-limits.ts';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { confirmTownMail, setTownMail } from '#/features/desk/commands/town.ts';
import { Button } from '#/ui/button.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { showError } from '#/ui/toast.ts';
import { useOneField } from '#/ui/use-one-field.ts';

interface TownMailProps {
  /** Null if the town has no email address. */
  mail: string | null;
  confirmed: boolean;
  onChanged: () => Promise<void>;
}

export function TownMail({ mail, confirmed, onChanged }: TownMailProps) {
  const text = useDeskText();
  const field = useOneField(async (typed, { reject, clear }) => {
    if (mail === null) await setTownMail(typed.trim());
    else if (!(await confirmTownMail(typed))) return reject(text.town.mail.wrong);
    clear();
    await onChanged();
  });
  const end = () =>
    void setTownMail(null).then(() => {
      field.clear();
      return onChanged();
    }, showError);
  const address = `\u2068${mail}\u2069`;
  const template = confirmed ? text.town.mail.on : text.town.mail.sent;
  return (
    <form noValidate className="grid-3" onSubmit={field.onSubmit}>
      <p>{mail === null ? text.town.mail.about : fill(template, { address })}</p>
      {(mail === null || !confirmed) && (
        <TextField
          label={mail === null ? text.town.mail.address : text.town.mail.code}
          type={mail === null ? 'email' : 'text'}
          dir="ltr"
          autoComplete="off"
          maxLength={MAX_TOWN_EMAIL}
          {...field.text}
        />
      )}
      <div className="wrap-2">
        {(mail === null || !confirmed) && (
          <Button
            type="submit"
            variant="secondary"
            busy={field.busy}
            disabled={field.text.value.trim() === ''}
          >
            {mail === null ? text.town.mail.send : text.town.mail.confirm}
          </Button>
        )}
        {mail !== null && (
          <Button variant="secondary" disabled={field.busy} onClick={end}>
            {text.town.mail.off}
          </Button>
        )}
      </div>
    </form>
  );
}
