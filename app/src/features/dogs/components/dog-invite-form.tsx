// The owner creates an invite link for a keeper or a walker, shown as a QR code.
import { useState } from 'react';
import { DAY_MS } from '../../../../../shared/durations.ts';
import { useMakeDogInvite } from '#/features/dogs/commands/change-dog-carers.ts';
import type { Dog } from '#/features/dogs/dog.ts';
import { DOG_ROLES, type DogRole } from '../../../../../shared/enums.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import type { LucideIcon } from '#/ui/icon.tsx';
import { QrCode } from '#/ui/qr-code.tsx';
import { ShareLinkButton } from '#/ui/share-link-button.tsx';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { TextField } from '#/ui/text-field.tsx';
import { showError } from '#/ui/toast.ts';

/** Returns the date in this many days, in the device's time zone, as a date input's value. */
function dateIn(days: number): string {
  const day = new Date(Date.now() + days * DAY_MS);
  return new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function DogInviteForm({ dog, icon }: { dog: Dog; icon: LucideIcon }) {
  const t = useT();
  const [role, setRole] = useState<DogRole>('keeper');
  const [until, setUntil] = useState(() => dateIn(7));
  const make = useMakeDogInvite(dog.id);
  const url = make.data;
  useAnnounce(url === undefined ? '' : t('dogCarers.linkText'));
  if (url !== undefined)
    return (
      <div className="column-3">
        <QrCode text={url} label={t('dogCarers.qr')} />
        <p className="note">{t('dogCarers.linkText')}</p>
        <ShareLinkButton
          wide
          link={{ title: dog.name, text: t('dogCarers.shareText', { name: dog.name }), url }}
        />
      </div>
    );
  return (
    <form
      className="column-3"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate({ role, until }, { onError: showError });
      }}
    >
      <SegmentedControl
        label={t('dogCarers.invite')}
        labelShown
        options={DOG_ROLES.map((value) => ({
          value,
          label: t(`dogCarers.role.${value}`),
        }))}
        value={role}
        onChange={setRole}
      />
      <p className="note">{t(`dogCarers.may.${role}`)}</p>
      {role === 'walker' && (
        <TextField
          type="date"
          required
          label={t('dogCarers.until')}
          value={until}
          min={dateIn(0)}
          max={dateIn(364)}
          onChange={(event) => setUntil(event.target.value)}
        />
      )}
      <Button type="submit" variant="secondary" icon={icon} busy={make.isPending}>
        {t('dogCarers.makeLink')}
      </Button>
    </form>
  );
}
