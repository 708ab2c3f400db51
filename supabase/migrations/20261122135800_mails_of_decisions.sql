-- Mails about decisions, to reporters, too; what is undone is not told.

-- languages.sql
create or replace function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard. What the desk says (private.desk_text):
  -- %1$s is the park and %2$s the reason of a decision, %1$s the reason and %2$s the end of a measure, %1$s how much waits and
  -- %2$s since when.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "בקשת חברות מ־%1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"],
      "parkInviteCancelled": ["המפגש בוטל", "המפגש עם %1$s בוטל: %2$s, %3$s"],
      "hazard": ["זהירות בגינת הכלבים", "%2$s: %4$s"],
      "hazards": {"poison": "דיווח על פיתיון מורעל", "glass": "דיווח על שברי זכוכית", "caterpillars": "דיווח על קרציות או זחלי תהלוכה", "awns": "דיווח על מלענים",
        "looseDog": "דיווח על כלב תוקפני משוחרר", "brokenFence": "דיווח על גדר פרוצה", "noWater": "דיווח שאין מים"},
      "deskWaiting": ["תור הניהול", "ממתינים להחלטה: %1$s; הוותיק ביותר כבר %2$s שעות"],
      "decided.park.approved": ["הגינה שלכם על המפה", "תודה! עכשיו כולם מוצאים את %1$s."],
      "decided.park.rejected": ["הגינה שלכם לא נוספה", "%1$s: %2$s."],
      "decided.correction.approved": ["התיקון שלכם התקבל", "תודה! הפרטים של %1$s מעודכנים."],
      "decided.correction.rejected": ["התיקון שלכם לא התקבל", "%1$s: %2$s."],
      "decided.photo.approved": ["התמונה שלכם מוצגת", "תודה! כולם רואים את התמונה שלכם של %1$s."],
      "decided.photo.rejected": ["התמונה שלכם לא תוצג", "%1$s: %2$s."],
      "decided.hazard.rejected": ["האזהרה שלכם הוסרה", "%1$s: %2$s."],
      "decided.review.rejected": ["הביקורת שלכם הוסתרה", "%1$s: %2$s."],
      "decided.reported_review.approved": ["בדקנו את הדיווח שלכם", "הביקורת על %1$s נשארת: היא עומדת בכללים שלנו."],
      "decided.reported_review.rejected": ["בדקנו את הדיווח שלכם", "תודה! הביקורת על %1$s הוסתרה."],
      "decided.reported_photo.approved": ["בדקנו את הדיווח שלכם", "התמונה של %1$s נשארת: היא עומדת בכללים שלנו."],
      "decided.reported_photo.rejected": ["בדקנו את הדיווח שלכם", "תודה! התמונה של %1$s הוסרה."],
      "decided.reported_person": ["בדקנו את הדיווח שלכם", "תודה! צוות הניהול בדק את מה שסיפרתם לנו על מישהו והחליט. ההחלטה נשארת בינינו לבינו."],
      "decided.several": "חדש לגבי מה שהוספתם ודיווחתם",
      "decided.switch_off": "המייל הזה נשלח כי \"החלטות על מה שהוספתי\" מסומן בהגדרות ההתראות; אפשר לבטל את זה שם.",
      "measure.warn": ["אזהרה", "קיבלתם אזהרה מצוות הניהול: %1$s."],
      "measure.limit": ["הפרסום שלכם מושהה", "אי אפשר לפרסם עד %2$s: %1$s."],
      "measure.limit.for_good": ["הפרסום שלכם מושהה", "אי אפשר לפרסם יותר: %1$s."],
      "measure.suspend": ["החשבון שלכם מושעה", "אי אפשר להשתמש בחשבון עד %2$s: %1$s."],
      "measure.ban": ["החשבון שלכם נסגר", "אי אפשר להשתמש בחשבון יותר: %1$s."],
      "measure.appeal": "לדעתכם זו טעות? כתבו אל %1$s, ומישהו אחר מהצוות יבדוק את זה.",
      "reason.duplicate": "הגינה כבר על המפה",
      "reason.not_a_park": "זו לא גינת כלבים",
      "reason.wrong_place": "המיקום על המפה לא נכון",
      "reason.not_true": "בדקנו, ובמקום זה אחרת",
      "reason.unclear": "לא הבנו למה הכוונה",
      "reason.wrong_park": "זה שייך לגינה אחרת",
      "reason.poor_photo": "לא רואים מספיק בתמונה",
      "reason.people_in_photo": "אפשר לזהות אנשים בתמונה",
      "reason.spam": "זו פרסומת",
      "reason.inappropriate": "התוכן פוגעני",
      "reason.misinformation": "התוכן מטעה",
      "reason.fake": "התוכן לא אמיתי",
      "reason.personal_information": "יש כאן פרטים אישיים של מישהו",
      "reason.harassment": "זה מטריד אנשים אחרים"
    }$he$
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"],
      "parkInviteCancelled": ["أُلغي اللقاء", "أُلغي اللقاء مع %1$s: %2$s، %3$s"],
      "hazard": ["انتبهوا في حديقة الكلاب", "%2$s: %4$s"],
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن قراد أو يرقات لاسعة", "awns": "بلاغ عن سنابل شائكة",
        "looseDog": "بلاغ عن كلب شرس طليق", "brokenFence": "بلاغ عن سياج مكسور", "noWater": "بلاغ عن انقطاع الماء"},
      "deskWaiting": ["قائمة الإشراف", "بانتظار القرار: %1$s؛ أقدمها منذ %2$s س"],
      "decided.park.approved": ["حديقتكم على الخريطة", "شكرًا! الآن يجد الجميع %1$s."],
      "decided.park.rejected": ["لم تُضف حديقتكم", "%1$s: %2$s."],
      "decided.correction.approved": ["اعتُمد تصحيحكم", "شكرًا! تفاصيل %1$s محدّثة."],
      "decided.correction.rejected": ["لم يُعتمد تصحيحكم", "%1$s: %2$s."],
      "decided.photo.approved": ["صورتكم معروضة", "شكرًا! يرى الجميع صورتكم لـ%1$s."],
      "decided.photo.rejected": ["لن تُعرض صورتكم", "%1$s: %2$s."],
      "decided.hazard.rejected": ["أُزيل تحذيركم", "%1$s: %2$s."],
      "decided.review.rejected": ["أُخفي تقييمكم", "%1$s: %2$s."],
      "decided.reported_review.approved": ["نظرنا في بلاغكم", "يبقى تقييم %1$s: إنه لا يخالف قواعدنا."],
      "decided.reported_review.rejected": ["نظرنا في بلاغكم", "شكرًا! أُخفي تقييم %1$s."],
      "decided.reported_photo.approved": ["نظرنا في بلاغكم", "تبقى صورة %1$s: إنها لا تخالف قواعدنا."],
      "decided.reported_photo.rejected": ["نظرنا في بلاغكم", "شكرًا! أُزيلت صورة %1$s."],
      "decided.reported_person": ["نظرنا في بلاغكم", "شكرًا! نظر المشرفون في ما أخبرتمونا به عن أحدهم واتخذوا قرارًا يبقى بيننا وبينه."],
      "decided.several": "جديد بشأن ما أضفتموه وأبلغتم عنه",
      "decided.switch_off": "وصلتكم هذه الرسالة لأن «القرارات بشأن ما أضفته» مفعّل في إعدادات الإشعارات، ويمكنكم إيقافه هناك.",
      "measure.warn": ["تحذير", "وصلكم تحذير من المشرفين: %1$s."],
      "measure.limit": ["النشر متوقف", "لا يمكنكم النشر حتى %2$s: %1$s."],
      "measure.limit.for_good": ["النشر متوقف", "لم يعد بإمكانكم النشر: %1$s."],
      "measure.suspend": ["حسابكم موقوف", "لا يمكنكم استخدام الحساب حتى %2$s: %1$s."],
      "measure.ban": ["أُغلق حسابكم", "لم يعد بإمكانكم استخدام الحساب: %1$s."],
      "measure.appeal": "إن كنتم ترون أن هذا خطأ فاكتبوا إلى %1$s، وسيراجعه مشرف آخر.",
      "reason.duplicate": "هذه الحديقة موجودة على الخريطة",
      "reason.not_a_park": "هذه ليست حديقة كلاب",
      "reason.wrong_place": "الموقع على الخريطة غير صحيح",
      "reason.not_true": "تحققنا، والأمر مختلف هناك",
      "reason.unclear": "لم نفهم المقصود",
      "reason.wrong_park": "هذا يخص حديقة أخرى",
      "reason.poor_photo": "لا يظهر ما يكفي في الصورة",
      "reason.people_in_photo": "يمكن التعرف على أشخاص في الصورة",
      "reason.spam": "هذا إعلان",
      "reason.inappropriate": "المحتوى مسيء",
      "reason.misinformation": "المحتوى مضلل",
      "reason.fake": "المحتوى غير حقيقي",
      "reason.personal_information": "فيه معلومات شخصية عن أحدهم",
      "reason.harassment": "هذا يزعج أشخاصًا آخرين"
    }$ar$
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"],
      "parkInviteCancelled": ["The meeting is off", "%1$s called off %2$s, %3$s"],
      "hazard": ["Take care at the dog park", "%2$s: %4$s"],
      "hazards": {"poison": "poison bait reported", "glass": "broken glass reported", "caterpillars": "ticks or caterpillars reported", "awns": "awns reported",
        "looseDog": "aggressive loose dog reported", "brokenFence": "broken fence reported", "noWater": "no water reported"},
      "deskWaiting": ["Waiting for you", "Waiting for a decision: %1$s; the oldest for %2$s h"],
      "decided.park.approved": ["Your park is on the map", "Thank you! Everybody finds %1$s now."],
      "decided.park.rejected": ["Your park was not added", "%1$s: %2$s."],
      "decided.correction.approved": ["Your correction was taken over", "Thank you! %1$s is up to date."],
      "decided.correction.rejected": ["Your correction was not taken over", "%1$s: %2$s."],
      "decided.photo.approved": ["Your photo is shown", "Thank you! Your photo of %1$s is there for everybody."],
      "decided.photo.rejected": ["Your photo is not shown", "%1$s: %2$s."],
      "decided.hazard.rejected": ["Your warning was taken down", "%1$s: %2$s."],
      "decided.review.rejected": ["Your review was hidden", "%1$s: %2$s."],
      "decided.reported_review.approved": ["We looked at your report", "The review of %1$s stays: it keeps to our rules."],
      "decided.reported_review.rejected": ["We looked at your report", "Thank you! The review of %1$s is hidden."],
      "decided.reported_photo.approved": ["We looked at your report", "The photo of %1$s stays: it keeps to our rules."],
      "decided.reported_photo.rejected": ["We looked at your report", "Thank you! The photo of %1$s is gone."],
      "decided.reported_person": ["We looked at your report", "Thank you! A moderator looked at what you told us about somebody and decided. What was decided stays between us and them."],
      "decided.several": "News about what you gave and reported",
      "decided.switch_off": "You get this mail because of “Decisions about what I added” in the notification settings; you can switch it off there.",
      "measure.warn": ["A warning", "A moderator warns you: %1$s."],
      "measure.limit": ["Posting is paused", "Until %2$s you cannot post: %1$s."],
      "measure.limit.for_good": ["Posting is paused", "You cannot post any more: %1$s."],
      "measure.suspend": ["Your account is suspended", "Until %2$s you cannot use your account: %1$s."],
      "measure.ban": ["Your account is closed", "You cannot use your account any more: %1$s."],
      "measure.appeal": "If you think that this is wrong, answer to %1$s. Another moderator looks at it.",
      "reason.duplicate": "this park is on the map already",
      "reason.not_a_park": "this is not a dog park",
      "reason.wrong_place": "the place on the map is not right",
      "reason.not_true": "we checked, and it is different there",
      "reason.unclear": "we did not understand what is meant",
      "reason.wrong_park": "this is about another park",
      "reason.poor_photo": "one cannot see enough in the photo",
      "reason.people_in_photo": "people can be recognised in the photo",
      "reason.spam": "it is advertising",
      "reason.inappropriate": "it is offensive",
      "reason.misinformation": "it is misleading",
      "reason.fake": "it is not genuine",
      "reason.personal_information": "it tells personal things about somebody",
      "reason.harassment": "it bothers other people"
    }$en$
  end::jsonb;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

-- notifications.sql
create or replace function private.publish_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  receiver record;
  wanted record;
  texts record;
begin
  select u.language into receiver from public.users u where u.id = new.receiver_id;
  select p.* into wanted from public.notifications_preferences p where p.user_id = new.receiver_id;
  if wanted.muted or not coalesce(case new.type
      when 'friendRequest' then wanted.friend_request
      when 'friendApproval' then wanted.friend_approval
      when 'hazard' then wanted.hazard
      when 'deskDecision' then wanted.desk_decision
      when 'measure' then true
      when 'deskWaiting' then true
      else wanted.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  if new.type in ('deskDecision', 'measure', 'deskWaiting') then
    select t.* into texts from private.desk_text(new.type, receiver.language, new.data) t;
  else
    select t.* into texts from private.notification_texts(
      new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
      private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
      (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean, new.data ->> 'hazard') t;
  end if;
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.message, is_ready = true
  where n.id = new.id;
  if found then
    perform private.add_job('send-push', new.id || ' ' || d.device_id,
      jsonb_build_object('notification_id', new.id, 'device_id', d.device_id), new.receiver_id)
    from public.device_tokens d where d.user_id = new.receiver_id;
    if new.type = 'deskDecision' then
      perform private.mail_decision(new.receiver_id, new.created_at);
    end if;
  end if;
  return null;
end
$$;
comment on function private.publish_notification is 'Writes the texts and queues the pushes and the mail about a decision, or drops what is muted; runs when the transaction that notified commits.';

create or replace function private.desk_text(
  p_type public.notification_type, p_language public.language, p_data jsonb, out title text, out message text
)
language plpgsql stable set search_path = ''
as $$
declare
  texts jsonb := private.texts(p_language);
  reason text := texts ->> ('reason.' || (p_data ->> 'reason'));
  pair jsonb;
begin
  if p_type = 'deskDecision' then
    pair := texts -> ('decided.' || case p_data ->> 'kind' when 'merge' then 'correction' when 'photo_report' then 'photo' else p_data ->> 'kind' end
      || case p_data ->> 'approved' when 'true' then '.approved' when 'false' then '.rejected' else '' end);
    message := format(pair ->> 1, private.isolate_direction(coalesce(private.park_name((p_data ->> 'park_id')::bigint, p_language), '')), reason);
  elsif p_type = 'measure' then
    pair := texts -> ('measure.' || (p_data ->> 'measure') || case when p_data ->> 'measure' = 'limit' and p_data ->> 'until' is null then '.for_good' else '' end);
    message := format(pair ->> 1, reason, private.isolate_direction(coalesce(
      to_char((p_data ->> 'until')::timestamptz at time zone 'Asia/Jerusalem', texts ->> 'time'), '')));
  else
    pair := texts -> 'deskWaiting';
    message := format(pair ->> 1, p_data ->> 'waiting', p_data ->> 'hours');
  end if;
  title := pair ->> 0;
end
$$;
comment on function private.desk_text is 'What the desk says to somebody, in their language.';

-- desk.sql
create function private.open_reporters(p_kind text, p_id text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select x.reporter from private.review_reports x where p_kind = 'review' and x.review_id = private.to_uuid(p_id) and x.resolved_at is null
  union select x.reporter from private.photo_reports x where p_kind = 'photo_report' and x.path = p_id and x.resolved_at is null
  union select x.reporter from private.user_reports x where p_kind = 'person' and x.user_id = private.to_uuid(p_id) and x.resolved_at is null
$$;
comment on function private.open_reporters is 'Who reported an item and waits for an answer.';

create function private.tell_reporters(p_kind text, p_id text, p_park_id bigint, p_approve boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Whether a review or a photo is still there, everybody sees; what was done about a person is nobody else's business.
  perform private.notify('deskDecision', null, r.reporter, jsonb_strip_nulls(jsonb_build_object(
    'kind', case p_kind when 'photo_report' then 'reported_photo' else 'reported_' || p_kind end,
    'park_id', p_park_id, 'approved', case when p_kind <> 'person' then p_approve end)))
  from private.open_reporters(p_kind, p_id) r (reporter);
end
$$;
comment on function private.tell_reporters is 'Tells who reported an item that somebody looked at it; before the reports are resolved.';

create function private.mail_decision(p_user_id uuid, p_decided_at timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- One mail for what is decided within a quarter of an hour.
  since timestamptz := coalesce((
    select (j.payload ->> 'decided_since')::timestamptz from private.jobs j
    where j.kind = 'desk-mail' and j.key = 'decided ' || p_user_id and j.failed_at is null), p_decided_at);
begin
  perform private.add_job('desk-mail', 'decided ' || p_user_id, jsonb_build_object('user_id', p_user_id, 'decided_since', since),
    p_user_id, '7 days', greatest(now(), since + interval '15 minutes'));
end
$$;
comment on function private.mail_decision is 'Asks for the mail to whoever gave or reported what was decided.';

create function private.take_back_notices(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = ''
as $$
  -- They were written in the transaction of the decision, so they have its moment. Of several alike in one go, one.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'kind' in (p_decision.kind, 'reported_' || replace(p_decision.kind, '_report', ''))
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select private.open_reporters(p_decision.kind, p_decision.item_id)
        union select i.author from private.desk_items i where i.kind = p_decision.kind and i.id = p_decision.item_id
        -- No item until its file is back.
        union select u.user_id from private.photo_uploaders u where p_decision.kind = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id
$$;
comment on function private.take_back_notices is 'What was undone is not told any more, unless its mail is out; run after the rows are restored.';

create or replace function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  decision_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || p_id, 0));
  select i.kind, i.id, i.park_id, i.author, i.author_shown, i.reasons into item
  from private.desk_items i where i.kind = p_kind and i.id = p_id;
  if item.id is null then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if not private.may_decide(item.kind, item.author) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any (item.reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end, me);
  perform private.tell_reporters(p_kind, p_id, item.park_id, p_approve);
  if not private.carry_out(p_kind, p_id, p_approve) then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.tell_author(p_kind, item.park_id, item.author, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  return decision_id;
end
$$;
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

create or replace function public.desk_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  decision private.desk_decisions;
  change private.desk_changes;
  claims text := current_setting('request.jwt.claims', true);
  is_own boolean;
begin
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - interval '30 days' for update;
  if decision.id is null then
    return false;
  end if;
  -- Of an author whom moderators may not know, only that one learns here that it is not for them.
  is_own := me in (
    select r.author from public.reviews r where decision.kind = 'review' and r.id::text = decision.item_id
    union all select u.user_id from private.photo_uploaders u where decision.kind = 'photo_report' and u.path = decision.item_id);
  if is_own or not private.may_decide(
    case when decision.decision in ('approve', 'reject') then decision.kind else 'person' end, decision.subject) then
    perform private.fail('not_allowed', 'Somebody else undoes this.', '42501');
  end if;
  perform private.audit('undo', private.item_name(decision.kind, decision.item_id), jsonb_build_object('decision', decision.id));
  -- Triggers trust what comes without a caller: what is put back is nobody's new post.
  perform set_config('request.jwt.claims', '', true);
  for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
    perform private.restore_row(change.relation, change.before, change.after);
  end loop;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  -- The files follow.
  if decision.kind = 'photo' and decision.decision = 'approve' then
    perform private.unpublish_photo(decision.item_id);
  elsif decision.kind = 'photo_report' and decision.decision = 'reject' then
    perform private.move_photo(decision.item_id, 'parks');
  elsif decision.kind = 'hazard' and decision.decision = 'reject' then
    perform private.move_photo(f.path, 'parks') from private.hazard_photos h join public.park_photos f on f.path = h.path
    where h.report_id::text = decision.item_id and f.status = 'approved';
  end if;
  delete from private.desk_changes c where c.decision_id = decision.id;
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  perform private.take_back_notices(decision);
  if me is not null then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  select i.kind, i.id, i.park_id, i.author, i.author_shown into item from private.desk_items i where i.kind = p_kind and i.id = p_id;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select 'person' as kind, u.id::text as id, null::bigint as park_id, u.id as author, true as author_shown into item
    from public.users u where u.id = private.to_uuid(p_id);
  end if;
  if item.author is null then
    perform private.fail('nobody_there', 'There is nobody behind this, or no longer.');
  end if;
  -- A refusal would tell that a moderator wrote an anonymous review.
  if item.author_shown then
    perform private.require_power_over(item.author);
  end if;
  if p_measure is null or p_reason is null or p_until <= now() or (p_measure = 'suspend' and p_until is null)
    or (p_measure in ('warn', 'ban') and p_until is not null) then
    perform private.fail('invalid_input', 'A measure has a reason; a suspension ends at a moment to come, a warning and a ban at none.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, p_id, null, null);
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';

drop function private.desk_mail(uuid, uuid, text);
create function private.desk_mail(p_user_id uuid, p_measure_id uuid, p_contact text, p_decided_since timestamptz default null)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Sent later than it was asked for: it says what is true by then.
  if p_decided_since is not null then
    return query
      select a.email::text, u.language, case when count(*) = 1 then min(t.title) else private.texts(u.language) ->> 'decided.several' end,
        array_agg(case when d.many = 1 then t.message else t.title || '. ' || t.message end order by d.created_at, d.id)
          || (private.texts(u.language) ->> 'decided.switch_off'), '/notifications'
      from public.users u join auth.users a on a.id = u.id
      cross join lateral (
        select n.id, n.created_at, n.data, count(*) over () as many from public.notifications n
        where n.receiver_id = u.id and n.type = 'deskDecision' and n.is_ready and n.created_at >= p_decided_since
      ) d
      cross join lateral private.desk_text('deskDecision', u.language, d.data) t
      where u.id = p_user_id and a.email is not null
      group by a.email, u.language;
  elsif p_measure_id is null then
    return query
      select a.email::text, u.language, t.title, array[t.message], '/desk'
      from public.user_roles r join public.users u on u.id = r.user_id join auth.users a on a.id = u.id
      cross join lateral (
        select jsonb_build_object('waiting', count(*), 'hours', floor(extract(epoch from now() - min(i.since)) / 3600)::integer) as data, count(*) as items
        from private.desk_items i
      ) w
      cross join lateral private.desk_text('deskWaiting', u.language, w.data) t
      where r.user_id = p_user_id and w.items > 0 and not private.is_limited(u.id) and a.email is not null;
  else
    return query
      select a.email::text, u.language, t.title,
        array[t.message] || case when p_contact is not null then format(private.texts(u.language) ->> 'measure.appeal', p_contact) end, null::text
      from private.measures m join public.users u on u.id = m.user_id join auth.users a on a.id = u.id
      cross join lateral private.desk_text('measure', u.language, to_jsonb(m)) t
      where m.id = p_measure_id and m.user_id = p_user_id and m.lifted_at is null and a.email is not null;
  end if;
end
$$;
comment on function private.desk_mail is 'A mail of the desk: what waits, a measure with where to appeal, or what was decided since a moment; no row where there is nothing to say any more. path leads to the page that it is about.';
