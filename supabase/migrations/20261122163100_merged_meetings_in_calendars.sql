-- A meeting whose park is merged with another is struck out in calendars, where it comes anew.

drop trigger remember_cancelled_meeting on public.park_invites;
comment on function private.remember_cancelled_meeting is 'For both sides of an invite that is taken back, or moved: at the park that theirs was merged with it is another event.';
create trigger remember_cancelled_meeting after delete or update of park_id on public.park_invites
  for each row when (private.is_meeting_open(old.meet_at)) execute function private.remember_cancelled_meeting();
