-- Notifications in better Hebrew and Arabic: the time reads from the right, nobody is called one of a flock.

create or replace function private.short_time(p_at timestamptz, p_language public.language) returns text
language sql stable set search_path = ''
as $$
  -- A word of the language within: digits alone would be written from the left.
  select to_char(p_at at time zone 'Asia/Jerusalem', case p_language when 'en' then 'FMDD Mon, HH24:MI' when 'he' then 'FMDD.FMMM "בשעה" HH24:MI' else 'FMDD/FMMM "الساعة" HH24:MI' end)
$$;

create or replace function private.notification_texts(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean,
  out title text, out message text
)
language plpgsql stable set search_path = ''
as $$
declare
  sender text := private.isolated(p_sender);
  park text := private.isolated(coalesce(p_park, ''));
  at_time text := private.isolated(coalesce(private.short_time(p_meet_at, p_language), ''));
begin
  case p_language
    when 'he' then
      case p_type
        when 'friendRequest' then title := 'בקשת חברות חדשה'; message := 'התקבלה בקשת חברות מאת ' || sender;
        when 'friendApproval' then title := 'בקשת החברות אושרה'; message := 'עכשיו אתם חברים של ' || sender;
        when 'parkInvite' then title := 'הזמנה לגינת כלבים'; message := 'הזמנה מאת ' || sender || ': ' || park || ', ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'אישור הגעה'; message := 'נפגשים! אישור מאת ' || sender || ': ' || park || ', ' || at_time;
          else title := 'לא הפעם'; message := 'הפעם בלי ' || sender || ': ' || park || ', ' || at_time; end if;
      end case;
    when 'ar' then
      case p_type
        when 'friendRequest' then title := 'طلب صداقة جديد'; message := 'وصلكم طلب صداقة من ' || sender;
        when 'friendApproval' then title := 'تم قبول طلب الصداقة'; message := 'أصبحتم أنتم و' || sender || ' أصدقاء';
        when 'parkInvite' then title := 'دعوة إلى حديقة الكلاب'; message := 'دعوة من ' || sender || ': ' || park || '، ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'تم قبول الدعوة'; message := 'نلتقي هناك! ردّ بالموافقة من ' || sender || ': ' || park || '، ' || at_time;
          else title := 'ليس هذه المرة'; message := 'اعتذار عن الدعوة من ' || sender || ': ' || park || '، ' || at_time; end if;
      end case;
    else
      case p_type
        when 'friendRequest' then title := 'New friend request'; message := sender || ' wants to be your friend';
        when 'friendApproval' then title := 'Friend request accepted'; message := 'You and ' || sender || ' are now friends';
        when 'parkInvite' then title := 'Meet at the park?'; message := sender || ' invites you to ' || park || ', ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'See you at the park'; message := sender || ' is coming to ' || park || ', ' || at_time;
          else title := 'Not this time'; message := sender || ' cannot come to ' || park || ', ' || at_time; end if;
      end case;
  end case;
end
$$;

create or replace function private.make_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  spoken public.language := case when given ->> 'language' in ('en', 'he', 'ar') then given ->> 'language' else 'en' end;
  called text := btrim(left(btrim(regexp_replace(
    coalesce(nullif(btrim(given ->> 'full_name'), ''), given ->> 'name', ''), '[[:cntrl:]]', ' ', 'g')), 80));
begin
  insert into public.users (id, name, language) values (
    new.id,
    -- Apple may give no name; the part of the email before the @ is nobody's business.
    coalesce(nullif(called, ''), case spoken when 'he' then 'מהלהקה' when 'ar' then 'من رفاقنا' else 'From the pack' end),
    spoken
  );
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;
