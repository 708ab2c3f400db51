// A town's notice on one of its parks: type, start, end, and text.
import { useState } from 'react';
import { DAY_MS, MINUTE_MS } from '../../../../../shared/durations.ts';
import type { ParkNotice } from '#/entities/parks/conditions.ts';
import { DraftNote } from '#/entities/drafts/draft-note.tsx';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { MAX_NOTICE } from '#/features/desk/desk-limits.ts';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { postNotice } from '#/features/desk/commands/town.ts';
import { Button } from '#/ui/button.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Select } from '#/ui/select.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { TextArea } from '#/ui/text-area.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import { NOTICE_TYPES } from '../../../../../shared/enums.ts';

/** Matches the same links that the database rejects. */
const LINK = /:\/\/|www\.|[a-z0-9-]\.[a-z]{2,}/i;

/** Returns the device's time plus this many milliseconds, as `YYYY-MM-DDTHH:MM`. */
const fromNow = (ms: number): string => {
  const moment = new Date(Date.now() + ms);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 16);
};

interface NoticeSheetProps {
  parks: readonly { id: number; name: string }[];
  onClose: () => void;
  onPosted: () => void;
}

export function NoticeSheet({ parks, onClose, onPosted }: NoticeSheetProps) {
  const text = useDeskText();
  const [empty] = useState(() => ({
    park: String(parks[0]?.id ?? ''),
    type: 'closed' as ParkNotice['type'],
    description: '',
    from: fromNow(0),
    until: fromNow(DAY_MS),
  }));
  const form = useDraft('notice', empty);
  const { park, type, description, from, until } = form.draft;
  const set = (patch: Partial<typeof empty>) => form.setDraft({ ...form.draft, ...patch });
  const [problem, setProblem] = useState<'over' | 'link' | null>(null);
  const { busy, onSubmit } = useSubmit(async () => {
    const isOver = !(Date.parse(until) > Math.max(Date.now(), Date.parse(from) || Infinity));
    const found = isOver ? 'over' : LINK.test(description) ? 'link' : null;
    setProblem(found);
    if (found !== null) return focusFirstProblem();
    await postNotice(Number(park), type, description, from, until);
    form.drop();
    onPosted();
  });
  return (
    <Sheet onClose={onClose} title={text.town.post}>
      <form noValidate className="grid-4" onSubmit={onSubmit}>
        <DraftNote {...form} />
        <Select
          label={text.town.park}
          options={parks.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={park}
          onChange={(value) => set({ park: value })}
        />
        <Select
          label={text.town.what}
          options={NOTICE_TYPES.map((value) => ({ value, label: text.town.types[value] }))}
          value={type}
          onChange={(value) => set({ type: value })}
        />
        <TextField
          type="datetime-local"
          label={text.town.from}
          value={from}
          onChange={(event) => set({ from: event.target.value })}
        />
        <TextField
          type="datetime-local"
          label={text.town.until}
          value={until}
          error={problem === 'over' ? text.town.over : null}
          onChange={(event) => set({ until: event.target.value })}
        />
        <TextArea
          label={text.town.text}
          optional
          maxLength={MAX_NOTICE}
          value={description}
          error={problem === 'link' ? text.town.link : null}
          onChange={(event) => set({ description: event.target.value })}
        />
        <Button type="submit" busy={busy} wide>
          {text.town.send}
        </Button>
      </form>
    </Sheet>
  );
}
