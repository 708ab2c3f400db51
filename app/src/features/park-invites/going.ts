// Computes which meetings the user hosts or attends, and how far away they are. Pure.
import { parkClock } from '../../../../shared/park-time.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';

type Invited = Pick<Meeting, 'status'>;

export const isMine = ({ status }: Invited): boolean => status === null;

const isGoing = (meeting: Invited): boolean => isMine(meeting) || meeting.status === 'accepted';

/** Returns the hour of the user's next meeting at a park, counted from midnight of the current day; null if there is none. */
export function hourOfMeeting(
  meetings: readonly Meeting[],
  parkId: number,
  moment: Date,
): number | null {
  const meeting = meetings.find(
    (each) => each.park_id === parkId && isGoing(each) && Date.parse(each.meet_at) > +moment,
  );
  if (!meeting) return null;
  const [then, today] = [parkClock(new Date(meeting.meet_at)), parkClock(moment)];
  return (then.day - today.day) * 24 + then.minute / 60;
}
