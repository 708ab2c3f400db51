-- The whole schema, written by `npm run generate` from supabase/schemas.

-- foundation.sql
-- The ground rules: nothing is callable or writable unless granted, internal objects live in schema private, every refusal
-- has a code, and a session without its second factor counts as anonymous.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create schema private;

-- New functions are executable by everybody unless this is taken back globally: per-schema defaults can only add.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Policies and views call helpers in private with the caller's rights; REST exposes only public, so no caller reaches them directly.
grant usage on schema private to anon, authenticated, service_role;

create function private.fail(code text, explanation text, state text default 'P0001') returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using errcode = state, message = code, hint = explanation;
end
$$;
comment on function private.fail is 'Refuses with a code in snake_case (the message) and an English sentence (the hint).';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create function private.clean_text(p_text text) returns text
language sql immutable set search_path = '' as $$
  -- Control characters (but for the end of a line and the tab), what turns the direction of the text after it, and tags,
  -- which nobody sees. One way of writing the same letters.
  select normalize(regexp_replace(p_text,
    '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), nfc)
$$;
comment on function private.clean_text is 'What people write, without characters that only a screen or a terminal obeys.';

create function private.clean_name(p_name text) returns text
language sql immutable set search_path = '' as $$
  -- What looks alike is written alike: no invisible characters, and one kind of space.
  select btrim(regexp_replace(regexp_replace(private.clean_text(regexp_replace(p_name, '[\u0009-\u000d\u0085\u2028\u2029]', ' ', 'g')),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]',
      '', 'g'),
    '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+', ' ', 'g'))
$$;
comment on function private.clean_name is 'A name in one line, without invisible characters.';

create function private.clean_row() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given jsonb := to_jsonb(new);
begin
  new := jsonb_populate_record(new, (
    select jsonb_object_agg(field, case when field = 'name' then private.clean_name(given ->> field)
      else private.clean_text(given ->> field) end)
    from unnest(tg_argv) field));
  return new;
end
$$;
comment on function private.clean_row is 'Cleans the columns that are given as arguments, before a row is checked and written.';

create function private.to_uuid(p_text text) returns uuid
language sql immutable as $$
  select case when p_text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

-- No search_path of its own, so that PostgreSQL inlines it.
create function private.metres_between(
  p_lat double precision, p_long double precision, p_other_lat double precision, p_other_long double precision
) returns double precision
language sql immutable as $$
  select 2 * 6371008.8 * asin(sqrt(least(1,
    sind((p_lat - p_other_lat) / 2) ^ 2 + cosd(p_lat) * cosd(p_other_lat) * sind((p_long - p_other_long) / 2) ^ 2)))
$$;

create function private.pick(p_row jsonb, variadic p_keys text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(r.key, r.value), '{}') from jsonb_each(p_row) r where r.key = any (p_keys)
$$;
comment on function private.pick is 'Only these of the columns: tables of auth have more on the platform, and some are secrets.';

-- A password alone is not enough for a user who has a second factor, whatever client asks: until the code is given, a
-- session sees what an anonymous caller sees and writes nothing. Three guards together see to that: each table for users
-- has the restrictive policy "nothing before the second factor"; functions that run with their owner's rights, which
-- policies do not reach, ask private.uid() or private.require_user(); views ask private.uid(). Tables that anonymous
-- callers read (parks, their names and photos) need the guard only for what users see of their own.
create function private.second_factor_done() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2', false)
    or not exists (select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified')
$$;
comment on function private.second_factor_done is 'Whether the session gave its second factor, or the user has none.';

create function private.uid() returns uuid
language sql stable security definer set search_path = '' as $$
  select case when private.second_factor_done() then auth.uid() end
$$;
comment on function private.uid is
  'The caller''s id for what only this user may see; null for anonymous callers, and before the second factor.';

grant execute on function private.second_factor_done() to authenticated;
grant execute on function private.uid() to anon, authenticated;

create function private.isolate_direction(p_text text) returns text
language sql immutable set search_path = '' as $$
  -- A Hebrew name in an English sentence must not reverse the sentence: FSI ... PDI. No such marks within: a name that
  -- brings its own could close the isolation and reverse the rest of the message.
  select U&'\2068' || translate(p_text, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '') || U&'\2069'
$$;

-- languages.sql
-- The languages, and what the database itself writes in them: made by `npm run generate` from shared/languages.ts and languages/.

create type public.language as enum ('en', 'he', 'ar');

-- What is in the texts, for format(). Of notifications: %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard. Of
-- the desk (private.desk_text): %1$s is the park and %2$s the reason of a decision, %1$s the reason and %2$s the end of a measure,
-- %1$s how much waits and %2$s since when. The pattern of a time, for to_char, has a word in right-to-left languages: digits alone
-- would be laid out from left to right.
-- PL/pgSQL and a comparison as text: a new value of a type cannot be used in the transaction that adds it, and this way
-- the step that adds a language can bring its texts, too.
create function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- Each is a constant of its type: read once for a connection, not for each notification.
  return case p_language::text
    when 'he' then $he${"new_user":"מהלהקה","time":"FMDD.FMMM \"בשעה\" HH24:MI","friendRequest":["בקשת חברות חדשה","בקשת חברות מאת %1$s"],
      "friendApproval":["בקשת החברות אושרה","עכשיו אתם חברים של %1$s"],"dogPeople.asked":["רוצים לטפל בכלב שלכם",
      "%2$s: בקשה להצטרף לאנשים של %1$s. אשרו אותה בעמוד הכלב"],"dogPeople.confirmed":["הצטרפתם",
      "מעכשיו אתם בין האנשים של %1$s, באישור של %2$s"],"dogPeople.handedOver":["כלב עבר אליכם","מעכשיו %1$s בפרופיל שלכם"],
      "friendComing":["חבר או חברה בדרך לגינה","%1$s בדרך לגינה ‏%2$s","פתחו את Packpark כדי לראות מי ולאן"],
      "friendThere":["חבר או חברה בגינה","%1$s בגינה ‏%2$s עד %3$s","פתחו את Packpark כדי לראות מי ואיפה"],
      "parkInvite":["הזמנה לגינת כלבים","הזמנה מאת %1$s: %2$s, %3$s"],"parkInviteResponse.accepted":["אישור הגעה",
      "נפגשים! אישור מאת %1$s: %2$s, %3$s"],"parkInviteResponse.declined":["לא הפעם","הפעם בלי %1$s: %2$s, %3$s"],
      "parkInviteCancelled":["המפגש בוטל","המפגש עם %1$s בוטל: %2$s, %3$s"],"lostDog":["כלב אבוד בסביבה",
      "מחפשים את %1$s לא רחוק מכם. ראיתם משהו?"],"dogSighting":["יש סימן מהכלב שלכם","מישהו ראה את %1$s. פתחו כדי לראות איפה"],
      "dogFound":["איזה יופי, סוף טוב!","%1$s שוב בבית. תודה על העזרה!"],"hazard":["זהירות בגינת הכלבים","%2$s: %4$s"],
      "hazards":{"poison":"דיווח על פיתיון מורעל","glass":"דיווח על שברי זכוכית","caterpillars":"דיווח על טוואי התהלוכה",
      "ticks":"דיווח על קרציות","awns":"דיווח על מלענים","looseDog":"דיווח על כלב תוקפני משוחרר","brokenFence":"דיווח על גדר פרוצה",
      "noWater":"דיווח שאין מים","kennelCough":"דיווח על שעלת מכלאות","stomachBug":"דיווח על הקאות או שלשולים",
      "parvovirus":"דיווח על פרבו"},"mailsFail":["מיילים לא יוצאים","מיילים של האתר מחכים: בדקו את שרת הדואר."],
      "deskWaiting":["תור הניהול","ממתינים להחלטה: %1$s; הוותיק ביותר כבר %2$s שעות"],"decided.park.approved":["הגינה שלכם על המפה",
      "תודה! עכשיו כולם מוצאים את %1$s."],"decided.park.rejected":["הגינה שלכם לא נוספה","%1$s: %2$s."],
      "decided.correction.approved":["התיקון שלכם התקבל","תודה! הפרטים של %1$s מעודכנים."],
      "decided.correction.rejected":["התיקון שלכם לא התקבל","%1$s: %2$s."],"decided.photo.approved":["התמונה שלכם מוצגת",
      "תודה! כולם רואים את התמונה שלכם של %1$s."],"decided.photo.rejected":["התמונה שלכם לא תוצג","%1$s: %2$s."],
      "decided.hazard.rejected":["האזהרה שלכם הוסרה","%1$s: %2$s."],"decided.hazard_in_hand":["העירייה מטפלת בזה",
      "%4$s מטפלת במה שדיווחתם. %1$s: %3$s."],"decided.hazard_done":["העירייה טיפלה בזה","%4$s טיפלה במה שדיווחתם. %1$s: %3$s."],
      "town.mail":"ב־Packpark אפשר לסמן שאתם מטפלים בזה, ושם גם מפסיקים לקבל את המיילים האלה.","town.code":["קוד מ־Packpark",
      "בקשה מטעם %1$s: לקבל כאן מיילים על מפגעים בגינות הכלבים שלה. הקוד לדף הניהול: %2$s. לא מכירים את זה? אפשר להתעלם מההודעה."],
      "decided.pack_time.rejected":["המפגש השבועי שלכם הוסר","%1$s: %2$s."],"decided.lost_dog.approved":["הכלב האבוד שלכם על המפה",
      "עכשיו כולם בסביבה רואים את המודעה."],"decided.lost_dog.rejected":["המודעה על הכלב האבוד הוסרה","%2$s."],
      "decided.reported_lost_dog.approved":["בדקנו את הדיווח שלכם","המודעה על הכלב האבוד נשארת: היא עומדת בכללים שלנו."],
      "decided.reported_lost_dog.rejected":["בדקנו את הדיווח שלכם","תודה! המודעה על הכלב האבוד הוסרה."],
      "decided.review.rejected":["הביקורת שלכם הוסתרה","%1$s: %2$s."],"decided.reported_review.approved":["בדקנו את הדיווח שלכם",
      "הביקורת על %1$s נשארת: היא עומדת בכללים שלנו."],"decided.reported_review.rejected":["בדקנו את הדיווח שלכם",
      "תודה! הביקורת על %1$s הוסתרה."],"decided.reported_photo.approved":["בדקנו את הדיווח שלכם",
      "התמונה של %1$s נשארת: היא עומדת בכללים שלנו."],"decided.reported_photo.rejected":["בדקנו את הדיווח שלכם",
      "תודה! התמונה של %1$s הוסרה."],"decided.reported_pack_time.approved":["בדקנו את הדיווח שלכם",
      "המפגש השבועי ב%1$s נשאר: הוא עומד בכללים שלנו."],"decided.reported_pack_time.rejected":["בדקנו את הדיווח שלכם",
      "תודה! המפגש השבועי ב%1$s הוסר."],"decided.reported_person":["בדקנו את הדיווח שלכם",
      "תודה! צוות הניהול בדק את מה שסיפרתם לנו על מישהו והחליט. ההחלטה נשארת בינינו לבינו."],
      "decided.several":"חדש לגבי מה שהוספתם ודיווחתם",
      "decided.switch_off":"המייל הזה נשלח כי \"החלטות על מה שהוספתי\" מסומן בהגדרות ההתראות; אפשר לבטל את זה שם.",
      "measure.warn":["אזהרה","קיבלתם אזהרה מצוות הניהול: %1$s."],"measure.limit":["הפרסום שלכם מושהה","אי אפשר לפרסם עד %2$s: %1$s."],
      "measure.limit.for_good":["הפרסום שלכם מושהה","אי אפשר לפרסם יותר: %1$s."],"measure.suspend":["החשבון שלכם מושעה",
      "אי אפשר להשתמש בחשבון עד %2$s: %1$s."],"measure.ban":["החשבון שלכם נסגר","אי אפשר להשתמש בחשבון יותר: %1$s."],
      "measure.appeal":"לדעתכם זו טעות? כתבו אל %1$s, ומישהו אחר מהצוות יבדוק את זה.","operator.test":["מייל בדיקה",
      "אם קיבלתם את זה, המיילים של האתר עובדים."],"operator.disk":["הדיסק מתמלא",
      "נשאר פחות מג׳יגה־בייט אחד פנוי בשרת. פנו מקום, לפני שהאתר יפסיק לשמור."],"operator.backup":["אין גיבוי עדכני",
      "הגיבוי האחרון של האתר בן יותר מיומיים, או שמעולם לא נעשה גיבוי."],"operator.overdue":["יש פניות שממתינות יותר מיממה",
      "משהו בתור הניהול ממתין להחלטה יותר מ־24 שעות."],"operator.download":["גיבוי של האתר הורד",
      "אחד המנהלים הראשיים הוריד גיבוי מוצפן. אם אף אחד מכם לא עשה זאת, בדקו מיד את יומן הפעולות."],
      "reason.duplicate":"הגינה כבר על המפה","reason.not_a_park":"זו לא גינת כלבים","reason.wrong_place":"המיקום על המפה לא נכון",
      "reason.not_true":"בדקנו, ובמקום זה אחרת","reason.unclear":"לא הבנו למה הכוונה","reason.wrong_park":"זה שייך לגינה אחרת",
      "reason.poor_photo":"לא רואים מספיק בתמונה","reason.people_in_photo":"אפשר לזהות אנשים בתמונה","reason.spam":"זו פרסומת",
      "reason.inappropriate":"התוכן פוגעני","reason.misinformation":"התוכן מטעה","reason.fake":"התוכן לא אמיתי",
      "reason.personal_information":"יש כאן פרטים אישיים של מישהו","reason.harassment":"זה מטריד אנשים אחרים"}$he$::jsonb
    when 'ar' then $ar${"new_user":"من رفاقنا","time":"FMDD/FMMM \"الساعة\" HH24:MI","friendRequest":["طلب صداقة جديد","وصلكم طلب صداقة من %1$s"],
      "friendApproval":["تم قبول طلب الصداقة","أصبحتم أنتم و%1$s أصدقاء"],"dogPeople.asked":["طلب لرعاية كلبكم",
      "%2$s: طلب انضمام إلى أشخاص %1$s. وافقوا عليه في صفحة الكلب"],"dogPeople.confirmed":["تم انضمامكم",
      "أنتم الآن من أشخاص %1$s، بموافقة %2$s"],"dogPeople.handedOver":["انتقل كلب إليكم","‏%1$s الآن في ملفكم"],
      "friendComing":["صديق في الطريق إلى الحديقة","%1$s في الطريق إلى %2$s","افتحوا Packpark لتعرفوا من وإلى أين"],
      "friendThere":["صديق في الحديقة","%1$s في %2$s حتى %3$s","افتحوا Packpark لتعرفوا من وأين"],"parkInvite":["دعوة إلى حديقة الكلاب",
      "دعوة من %1$s: %2$s، %3$s"],"parkInviteResponse.accepted":["تم قبول الدعوة","نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined":["ليس هذه المرة","اعتذار عن الدعوة من %1$s: %2$s، %3$s"],"parkInviteCancelled":["أُلغي اللقاء",
      "أُلغي اللقاء مع %1$s: %2$s، %3$s"],"lostDog":["كلب ضائع بالقرب منكم","البحث جارٍ عن %1$s بالقرب منكم. هل من خبر؟"],
      "dogSighting":["خبر عن كلبكم","شاهد أحدهم %1$s. افتحوا لتروا أين"],"dogFound":["عودة بالسلامة!",
      "%1$s في البيت من جديد. شكرًا على مساعدتكم!"],"hazard":["انتبهوا في حديقة الكلاب","%2$s: %4$s"],
      "hazards":{"poison":"بلاغ عن طُعم مسموم","glass":"بلاغ عن زجاج مكسور","caterpillars":"بلاغ عن يرقات لاسعة","ticks":"بلاغ عن قراد",
      "awns":"بلاغ عن سنابل شائكة","looseDog":"بلاغ عن كلب شرس طليق","brokenFence":"بلاغ عن سياج مكسور","noWater":"بلاغ عن انقطاع الماء",
      "kennelCough":"بلاغ عن سعال الكلاب","stomachBug":"بلاغ عن قيء أو إسهال","parvovirus":"بلاغ عن فيروس بارفو"},
      "mailsFail":["الرسائل لا تُرسل","رسائل الموقع تنتظر: افحصوا خادم البريد."],"deskWaiting":["قائمة الإشراف",
      "بانتظار القرار: %1$s؛ أقدمها منذ %2$s س"],"decided.park.approved":["حديقتكم على الخريطة","شكرًا! الآن يجد الجميع %1$s."],
      "decided.park.rejected":["لم تُضف حديقتكم","%1$s: %2$s."],"decided.correction.approved":["اعتُمد تصحيحكم",
      "شكرًا! تفاصيل %1$s محدّثة."],"decided.correction.rejected":["لم يُعتمد تصحيحكم","%1$s: %2$s."],
      "decided.photo.approved":["صورتكم معروضة","شكرًا! يرى الجميع صورتكم لـ%1$s."],"decided.photo.rejected":["لن تُعرض صورتكم",
      "%1$s: %2$s."],"decided.hazard.rejected":["أُزيل تحذيركم","%1$s: %2$s."],"decided.hazard_in_hand":["البلدية تعالج الأمر",
      "%4$s تعالج ما أبلغتم عنه. %1$s: %3$s."],"decided.hazard_done":["عالجت البلدية الأمر","%4$s عالجت ما أبلغتم عنه. %1$s: %3$s."],
      "town.mail":"في Packpark يمكنكم أن تذكروا أنكم تعالجون الأمر، وأن توقفوا هذه الرسائل.","town.code":["رمز من Packpark",
      "طلب من %1$s: أن تصلها هنا رسائل عن الأخطار في حدائق الكلاب التابعة لها. الرمز لصفحة الإشراف: %2$s. إن لم تعرفوا شيئًا عن ذلك فتجاهلوا هذه الرسالة."],
      "decided.pack_time.rejected":["أُزيل لقاؤكم الأسبوعي","%1$s: %2$s."],"decided.lost_dog.approved":["كلبكم الضائع على الخريطة",
      "الآن يرى كل من حولكم الإعلان."],"decided.lost_dog.rejected":["أُزيل الإعلان عن كلبكم الضائع","%2$s."],
      "decided.reported_lost_dog.approved":["نظرنا في بلاغكم","يبقى الإعلان عن الكلب الضائع: إنه لا يخالف قواعدنا."],
      "decided.reported_lost_dog.rejected":["نظرنا في بلاغكم","شكرًا! أُزيل الإعلان عن الكلب الضائع."],
      "decided.review.rejected":["أُخفي تقييمكم","%1$s: %2$s."],"decided.reported_review.approved":["نظرنا في بلاغكم",
      "يبقى تقييم %1$s: إنه لا يخالف قواعدنا."],"decided.reported_review.rejected":["نظرنا في بلاغكم","شكرًا! أُخفي تقييم %1$s."],
      "decided.reported_photo.approved":["نظرنا في بلاغكم","تبقى صورة %1$s: إنها لا تخالف قواعدنا."],
      "decided.reported_photo.rejected":["نظرنا في بلاغكم","شكرًا! أُزيلت صورة %1$s."],
      "decided.reported_pack_time.approved":["نظرنا في بلاغكم","يبقى اللقاء الأسبوعي في %1$s: إنه لا يخالف قواعدنا."],
      "decided.reported_pack_time.rejected":["نظرنا في بلاغكم","شكرًا! أُزيل اللقاء الأسبوعي في %1$s."],
      "decided.reported_person":["نظرنا في بلاغكم","شكرًا! نظر المشرفون في ما أخبرتمونا به عن أحدهم واتخذوا قرارًا يبقى بيننا وبينه."],
      "decided.several":"جديد بشأن ما أضفتموه وأبلغتم عنه",
      "decided.switch_off":"وصلتكم هذه الرسالة لأن «القرارات بشأن ما أضفته» مفعّل في إعدادات الإشعارات، ويمكنكم إيقافه هناك.",
      "measure.warn":["تحذير","وصلكم تحذير من المشرفين: %1$s."],"measure.limit":["النشر متوقف","لا يمكنكم النشر حتى %2$s: %1$s."],
      "measure.limit.for_good":["النشر متوقف","لم يعد بإمكانكم النشر: %1$s."],"measure.suspend":["حسابكم موقوف",
      "لا يمكنكم استخدام الحساب حتى %2$s: %1$s."],"measure.ban":["أُغلق حسابكم","لم يعد بإمكانكم استخدام الحساب: %1$s."],
      "measure.appeal":"إن كنتم ترون أن هذا خطأ فاكتبوا إلى %1$s، وسيراجعه مشرف آخر.","operator.test":["رسالة تجريبية",
      "إذا وصلتكم هذه الرسالة فبريد الموقع يعمل."],"operator.disk":["القرص يمتلئ",
      "بقي أقل من غيغابايت واحد فارغ على الخادم. أفرغوا مساحة قبل أن يتوقف الموقع عن الحفظ."],
      "operator.backup":["لا توجد نسخة احتياطية حديثة","مضى على آخر نسخة احتياطية أكثر من يومين، أو لم تُؤخذ أي نسخة قط."],
      "operator.overdue":["أمور تنتظر منذ أكثر من يوم","في قائمة الإشراف ما ينتظر قرارًا منذ أكثر من 24 ساعة."],
      "operator.download":["نُزّلت نسخة احتياطية",
      "نزّل أحد المديرين نسخة احتياطية مشفّرة. إن لم يفعل ذلك أحد منكم فراجعوا سجل الإجراءات فورًا."],
      "reason.duplicate":"هذه الحديقة موجودة على الخريطة","reason.not_a_park":"هذه ليست حديقة كلاب",
      "reason.wrong_place":"الموقع على الخريطة غير صحيح","reason.not_true":"تحققنا، والأمر مختلف هناك","reason.unclear":"لم نفهم المقصود",
      "reason.wrong_park":"هذا يخص حديقة أخرى","reason.poor_photo":"لا يظهر ما يكفي في الصورة",
      "reason.people_in_photo":"يمكن التعرف على أشخاص في الصورة","reason.spam":"هذا إعلان","reason.inappropriate":"المحتوى مسيء",
      "reason.misinformation":"المحتوى مضلل","reason.fake":"المحتوى غير حقيقي","reason.personal_information":"فيه معلومات شخصية عن أحدهم",
      "reason.harassment":"هذا يزعج أشخاصًا آخرين"}$ar$::jsonb
    else $en${"new_user":"From the pack","time":"FMDD Mon, HH24:MI","friendRequest":["New friend request","%1$s wants to be your friend"],
      "friendApproval":["Friend request accepted","You and %1$s are now friends"],
      "dogPeople.asked":["Somebody wants to care for your dog","%2$s asks to join the people of %1$s: confirm it on the dog's page"],
      "dogPeople.confirmed":["You have joined","%2$s confirmed it: you are now one of the people of %1$s"],
      "dogPeople.handedOver":["A dog is yours now","%1$s is in your profile now"],"friendComing":["A friend is coming to a park",
      "%1$s is coming to %2$s","Open Packpark to see who and where"],"friendThere":["A friend is at a park","%1$s is at %2$s until %3$s",
      "Open Packpark to see who and where"],"parkInvite":["Meet at the park?","%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted":["See you at the park","%1$s is coming to %2$s, %3$s"],"parkInviteResponse.declined":["Not this time",
      "%1$s cannot come to %2$s, %3$s"],"parkInviteCancelled":["The meeting is off","%1$s called off %2$s, %3$s"],
      "lostDog":["A dog is lost near you","%1$s is missing not far from you. Have you seen anything?"],
      "dogSighting":["Somebody saw your dog","Somebody saw %1$s. Open to see where"],"dogFound":["Found!",
      "%1$s is home again. Thank you for your help!"],"hazard":["Take care at the dog park","%2$s: %4$s"],
      "hazards":{"poison":"poison bait reported","glass":"broken glass reported","caterpillars":"stinging caterpillars reported",
      "ticks":"ticks reported","awns":"awns reported","looseDog":"aggressive loose dog reported","brokenFence":"broken fence reported",
      "noWater":"no water reported","kennelCough":"kennel cough reported","stomachBug":"vomiting or diarrhoea reported",
      "parvovirus":"parvovirus reported"},"mailsFail":["Mails are not sent","Mails of the site wait: look at the mail server."],
      "deskWaiting":["Waiting for you","Waiting for a decision: %1$s; the oldest for %2$s h"],
      "decided.park.approved":["Your park is on the map","Thank you! Everybody finds %1$s now."],
      "decided.park.rejected":["Your park was not added","%1$s: %2$s."],"decided.correction.approved":["Your correction was taken over",
      "Thank you! %1$s is up to date."],"decided.correction.rejected":["Your correction was not taken over","%1$s: %2$s."],
      "decided.photo.approved":["Your photo is shown","Thank you! Your photo of %1$s is there for everybody."],
      "decided.photo.rejected":["Your photo is not shown","%1$s: %2$s."],"decided.hazard.rejected":["Your warning was taken down",
      "%1$s: %2$s."],"decided.hazard_in_hand":["The town takes care of it","%4$s takes care of what you reported. %1$s: %3$s."],
      "decided.hazard_done":["The town took care of it","%4$s says that it is done. %1$s: %3$s."],
      "town.mail":"Say in Packpark that you take care of it; there you can also switch these mails off.",
      "town.code":["A code from Packpark",
      "%1$s wants to get mails here about hazards in its dog parks. The code for its desk: %2$s. If you know nothing of it, ignore this mail."],
      "decided.pack_time.rejected":["Your weekly meeting was taken down","%1$s: %2$s."],
      "decided.lost_dog.approved":["Your lost dog is on the map","People nearby see the card now."],
      "decided.lost_dog.rejected":["The card of your lost dog was taken down","%2$s."],
      "decided.reported_lost_dog.approved":["We looked at your report","The card of the lost dog stays: it keeps to our rules."],
      "decided.reported_lost_dog.rejected":["We looked at your report","Thank you! The card of the lost dog is gone."],
      "decided.review.rejected":["Your review was hidden","%1$s: %2$s."],"decided.reported_review.approved":["We looked at your report",
      "The review of %1$s stays: it keeps to our rules."],"decided.reported_review.rejected":["We looked at your report",
      "Thank you! The review of %1$s is hidden."],"decided.reported_photo.approved":["We looked at your report",
      "The photo of %1$s stays: it keeps to our rules."],"decided.reported_photo.rejected":["We looked at your report",
      "Thank you! The photo of %1$s is gone."],"decided.reported_pack_time.approved":["We looked at your report",
      "The weekly meeting at %1$s stays: it keeps to our rules."],"decided.reported_pack_time.rejected":["We looked at your report",
      "Thank you! The weekly meeting at %1$s is gone."],"decided.reported_person":["We looked at your report",
      "Thank you! A moderator looked at what you told us about somebody and decided. What was decided stays between us and them."],
      "decided.several":"News about what you gave and reported",
      "decided.switch_off":"You get this mail because of “Decisions about what I added” in the notification settings; you can switch it off there.",
      "measure.warn":["A warning","A moderator warns you: %1$s."],"measure.limit":["Posting is paused",
      "Until %2$s you cannot post: %1$s."],"measure.limit.for_good":["Posting is paused","You cannot post any more: %1$s."],
      "measure.suspend":["Your account is suspended","Until %2$s you cannot use your account: %1$s."],
      "measure.ban":["Your account is closed","You cannot use your account any more: %1$s."],
      "measure.appeal":"If you think that this is wrong, answer to %1$s. Another moderator looks at it.","operator.test":["A test mail",
      "If you read this, the site's mails work."],"operator.disk":["The disk fills up",
      "Less than one gigabyte is free on the server. Make room before the site can store nothing more."],
      "operator.backup":["There is no recent backup","The last backup of the site is older than two days, or none was ever made."],
      "operator.overdue":["Something waits for more than a day",
      "Something in the desk's queue has waited for a decision for over 24 hours."],"operator.download":["A backup was downloaded",
      "An administrator downloaded an encrypted backup. If it was none of you, look into the audit log at once."],
      "reason.duplicate":"this park is on the map already","reason.not_a_park":"this is not a dog park",
      "reason.wrong_place":"the place on the map is not right","reason.not_true":"we checked, and it is different there",
      "reason.unclear":"we did not understand what is meant","reason.wrong_park":"this is about another park",
      "reason.poor_photo":"one cannot see enough in the photo","reason.people_in_photo":"people can be recognised in the photo",
      "reason.spam":"it is advertising","reason.inappropriate":"it is offensive","reason.misinformation":"it is misleading",
      "reason.fake":"it is not genuine","reason.personal_information":"it tells personal things about somebody",
      "reason.harassment":"it bothers other people"}$en$::jsonb
  end;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

-- site_settings.sql
-- What SQL must know of the operator's settings: one row, which the host fills at its start, and one reader for each.

create table private.site_settings (
  only_row boolean primary key default true check (only_row),
  time_zone text not null default 'Asia/Jerusalem',
  weekend smallint[] not null default '{5,6}' check (weekend <@ '{0,1,2,3,4,5,6}'::smallint[]),
  hour_cycle smallint not null default 24 check (hour_cycle in (12, 24)),
  minimum_age smallint not null default 13 check (minimum_age >= 13),
  languages text[] not null default '{en,he,ar}' check (languages <> '{}')
);
comment on table private.site_settings is 'Set by private.set_site_settings; no personal data.';
comment on column private.site_settings.weekend is 'Days of the week, 0 is Sunday.';
comment on column private.site_settings.languages is 'Those that are offered, the default first.';
alter table private.site_settings enable row level security;
insert into private.site_settings default values;

create function private.time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select s.time_zone from private.site_settings s
$$;

create function private.is_weekend(p_day date) returns boolean
language sql stable security definer set search_path = '' as $$
  select extract(dow from p_day)::smallint = any (s.weekend) from private.site_settings s
$$;

create function private.park_time(p_moment timestamptz default now()) returns timestamp
language sql stable as $$
  select p_moment at time zone private.time_zone()
$$;
comment on function private.park_time is 'What a clock at the parks shows at a moment.';

create function private.clock_words(p_moment timestamptz, p_format text) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(private.park_time(p_moment),
    case s.hour_cycle when 12 then replace(p_format, 'HH24:MI', 'FMHH12:MI am') else p_format end)
  from private.site_settings s
$$;
comment on function private.clock_words is 'A moment at the parks in a format of to_char, whose HH24:MI is as people there read clocks.';

create function private.park_day(p_moment timestamptz default now()) returns date
language sql stable as $$
  select private.park_time(p_moment)::date
$$;
comment on function private.park_day is 'The day that a calendar at the parks shows at a moment.';

create function private.day_start(p_moment timestamptz default now()) returns timestamptz
language sql stable as $$
  select date_trunc('day', p_moment, private.time_zone())
$$;
comment on function private.day_start is
  'The midnight at the parks before a moment: all that is kept of it where the time of day would tell too much.';

create function private.set_site_settings(
  p_time_zone text, p_weekend smallint[], p_hour_cycle int default 24, p_minimum_age int default 13,
  p_languages text[] default '{en,he,ar}'
) returns void
language plpgsql set search_path = '' as $$
begin
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = p_time_zone) then
    perform private.fail('unknown_time_zone', format('There is no time zone "%s".', p_time_zone));
  end if;
  -- Hours of past visits are counted in the time zone that they were in.
  if p_time_zone <> private.time_zone()
    and (exists (select from public.check_ins) or exists (select from private.busy_hours)) then
    perform private.fail('time_zone_is_fixed',
      format('The time zone is %s and cannot change once there are visits.', private.time_zone()));
  end if;
  if p_minimum_age > (select s.minimum_age from private.site_settings s) then
    update private.user_consents set age_confirmed_at = null where age_confirmed_at is not null;
  end if;
  update private.site_settings
  set time_zone = p_time_zone, weekend = p_weekend, hour_cycle = p_hour_cycle, minimum_age = p_minimum_age,
    languages = p_languages;
end
$$;

grant execute on function private.time_zone(), private.park_time(timestamptz), private.park_day(timestamptz), private.day_start(timestamptz)
to anon, authenticated, service_role;

create function private.site_language() returns public.language
language sql stable security definer set search_path = '' as $$
  select s.languages[1]::public.language from private.site_settings s
$$;
comment on function private.site_language is 'The language of whoever chose none.';

-- retention.sql
-- How long history is kept: each table's own file adds the statement that shortens it, and one job runs them all.

create table private.retention (
  name text primary key,
  run_order smallint not null default 50,
  statement text not null
);
comment on table private.retention is 'What private.reduce_history runs; no personal data.';
comment on column private.retention.run_order is 'Smaller ones run first: what others depend on.';
alter table private.retention enable row level security;

create function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  statement text;
begin
  for statement in select r.statement from private.retention r order by r.run_order, r.name loop
    execute statement;
  end loop;
end
$$;
comment on function private.reduce_history is
  'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';

-- exports.sql
-- The copy of everything about them that users may take along: each table's own file adds what is exported of it.

create table private.exports (
  relation text primary key,
  part text,
  is_list boolean not null default true,
  statement text,
  left_out text,
  check ((part is null) <> (left_out is null) and (part is not null or statement is null))
);
comment on table private.exports is
  'What the export has of each table that leads to a person, or why it is left out; no personal data.';
comment on column private.exports.part is 'Under which name the export has it; several tables may be one part, with one statement.';
comment on column private.exports.is_list is 'Whether the part is a list, which may go on in the next page, or a single value.';
comment on column private.exports.statement is
  'Reads what is stored about the user $1, with names in the language $2: of a list a moment, an id as text and the item, else the value.';
alter table private.exports enable row level security;

create function public.export_user_page(p_user_id uuid, p_after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  language public.language := (select u.language from public.users u where u.id = p_user_id);
  begins_at timestamptz := coalesce((p_after ->> 'at')::timestamptz, '-infinity');
  begins_with text := coalesce(p_after ->> 'id', '');
  -- So many rows take a few milliseconds.
  room integer := 50;
  heads jsonb := '{}';
  lists jsonb := '[]';
  export private.exports;
  content jsonb;
  rows record;
begin
  if language is null then
    return null;
  end if;
  if p_after is null then
    for export in select * from private.exports e where not e.is_list and e.statement is not null loop
      execute export.statement into content using p_user_id, language;
      heads := heads || jsonb_build_object(export.part, content);
    end loop;
    heads := heads || jsonb_build_object('exported_at', now());
  end if;
  for export in
    select * from private.exports e where e.is_list and e.statement is not null and e.part >= coalesce(p_after ->> 'list', '')
    order by e.part
  loop
    execute 'select count(*) as many, coalesce(jsonb_agg(r.item), ''[]'') as items, max(r.at) as at, (array_agg(r.id))[count(*)] as id
      from (select * from (' || export.statement || ') x (at, id, item) where (x.at, x.id) > ($3, $4) order by 1, 2 limit $5) r'
      into rows using p_user_id, language, begins_at, begins_with, room;
    lists := lists || jsonb_build_object('name', export.part, 'items', rows.items);
    room := room - rows.many;
    if room = 0 then
      return jsonb_build_object('heads', case when p_after is null then heads end, 'lists', lists,
        'after', jsonb_build_object('list', export.part, 'at', rows.at, 'id', rows.id));
    end if;
    begins_at := '-infinity';
    begins_with := '';
  end loop;
  return jsonb_build_object('heads', case when p_after is null then heads end, 'lists', lists, 'after', null);
end
$$;
comment on function public.export_user_page is
  'A part of everything stored about a user: {heads: {name: value}, with the first page, lists: [{name, items}], after: what to ask with '
  'for the next page, null with the last}. A list may go on in the next page. Null for a user who is gone.';

grant execute on function public.export_user_page(uuid, jsonb) to service_role;

-- idempotency_keys.sql
-- A mutation that is sent twice with the same key happens once: devices repeat what they got no answer to.

create table private.idempotency_keys (
  user_id uuid not null,
  key uuid not null,
  operation text not null,
  result jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
comment on table private.idempotency_keys is
  'Results of mutations with a key: a second call with the same key gets the first result and changes nothing.';
alter table private.idempotency_keys enable row level security;

create index on private.idempotency_keys (created_at);

create function private.claim_idempotency_key(p_key uuid, p_operation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  existing private.idempotency_keys;
begin
  if p_key is null then
    return null;
  end if;
  -- A concurrent second call waits here for the first one's transaction: then it finds the result, or starts anew after a rollback.
  insert into private.idempotency_keys (user_id, key, operation) values ((select auth.uid()), p_key, p_operation)
  on conflict do nothing;
  if found then
    return null;
  end if;
  select * into existing from private.idempotency_keys k where k.user_id = (select auth.uid()) and k.key = p_key;
  if existing.operation is distinct from p_operation then
    perform private.fail('invalid_input', 'This key was already used for something else.');
  end if;
  return existing.result;
end
$$;
comment on function private.claim_idempotency_key is 'The stored result of a key, or null when the operation is to be carried out now.';

create function private.store_idempotent_result(p_key uuid, p_result jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if p_key is not null then
    update private.idempotency_keys k set result = p_result where k.user_id = (select auth.uid()) and k.key = p_key;
  end if;
  return p_result;
end
$$;
comment on function private.store_idempotent_result is 'Stores the result for further calls with the key, and returns it.';

insert into private.retention (name, run_order, statement) values
  ('idempotency keys: 30 days', 50, $$delete from private.idempotency_keys k where k.created_at < now() - interval '30 days'$$),
  ('idempotency keys: the newest thousand of each person', 55, $$delete from private.idempotency_keys k using (
      select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place
        from private.idempotency_keys n
      where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
    ) ranked
    where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000$$);

insert into private.exports (relation, part, statement) values
  ('private.idempotency_keys', 'recent_commands',
    $$select k.created_at, k.key::text, jsonb_build_object('operation', k.operation, 'created_at', k.created_at)
    from private.idempotency_keys k where k.user_id = $1$$);

-- rate_limits.sql
-- How often one user, or one address, may do something.

create table private.rate_limits (
  subject uuid not null,
  operation text not null,
  window_start timestamptz not null default now(),
  count integer not null default 1,
  primary key (subject, operation)
);
comment on table private.rate_limits is
  'How often somebody did something in the current window; see private.limit_rate and private.limit_address.';
comment on column private.rate_limits.subject is 'A user, or the hash of an anonymous caller''s address.';
alter table private.rate_limits enable row level security;

create function private.count_attempt(p_subject uuid, p_operation text, p_window interval) returns integer
language sql volatile security definer set search_path = '' as $$
  insert into private.rate_limits as r (subject, operation) values (p_subject, p_operation)
  on conflict (subject, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count
$$;
comment on function private.count_attempt is
  'Counts one more attempt of p_subject, and says how many it made in the current window of p_window.';

create function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.count_attempt(p_subject, p_operation, p_window) > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_subject is
  'Refuses with too_many when this was done more than p_limit times in p_window in the name of p_subject.';

create function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  select private.limit_subject(auth.uid(), p_operation, p_limit, p_window)
$$;
comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_limit times in p_window.';

create function private.limit_pair(p_subject uuid, p_other uuid, p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  -- Under a hash: whom somebody asked is private, and the other may be gone tomorrow.
  select private.limit_subject(p_subject, p_operation || ' to ' || md5(p_subject || ' ' || p_other), p_limit, p_window)
$$;
comment on function private.limit_pair is 'Refuses with too_many when p_subject did this to p_other more than p_limit times in p_window.';

create function private.address_subject(p_headers jsonb) returns uuid
language plpgsql immutable set search_path = '' as $$
declare
  -- The host writes the address itself; on Supabase, what is in front of it adds the first of these headers.
  address text := coalesce(p_headers ->> 'cf-connecting-ip', btrim(split_part(p_headers ->> 'x-forwarded-for', ',', -1)), '');
begin
  -- Of IPv6 one person has a whole network.
  if address ~ '^[0-9a-f:]+$' and address like '%:%' then
    begin
      address := network(set_masklen(address::inet, 64))::text;
    exception when invalid_text_representation then
      null;
    end;
  end if;
  return md5('address ' || address)::uuid;
end
$$;
comment on function private.address_subject is
  'What private.rate_limits counts the address of a request as, by the headers of the request.';

create function private.limit_address(p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  -- No request over HTTP: an operator or a job.
  if headers is not null then
    perform private.limit_subject(private.address_subject(headers), p_operation, p_limit, p_window);
  end if;
end
$$;
comment on function private.limit_address is
  'Refuses with too_many when this was done more than p_limit times in p_window from the address of the caller.';

insert into private.retention (name, run_order, statement) values
  ('rate limits: two days', 50, $$delete from private.rate_limits r where r.window_start < now() - interval '2 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.rate_limits', 'rate_limits',
    $$select 'epoch'::timestamptz, r.operation, jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'),
      'count', r.count, 'since', r.window_start)
    from private.rate_limits r where r.subject = $1$$);

-- service_slots.sql
-- How often all hosts together may call an external service, and how much of that one address may cause.

create table private.service_slots (
  service text primary key,
  next_at timestamptz not null default '-infinity',
  day date,
  calls integer not null default 0
);
comment on table private.service_slots is
  'When the next call to an external service may be made. One row a service, because its limits are for all our users together: all '
  'hosts, and all functions on the platform, share it.';
comment on column private.service_slots.calls is 'Calls on that day (UTC): services also limit the day.';
alter table private.service_slots enable row level security;

create function public.claim_service_slot(p_service text, p_per_second integer, p_max_waiting integer, p_per_day integer default null)
returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  slot timestamptz;
  asked_at timestamptz;
  today date;
  calls_today integer;
begin
  insert into private.service_slots (service) values (p_service) on conflict do nothing;
  select s.next_at, s.day, s.calls into slot, today, calls_today from private.service_slots s where s.service = p_service for update;
  -- Not now(): that is before the wait for others who locked the row.
  asked_at := clock_timestamp();
  if today is distinct from (asked_at at time zone 'utc')::date then
    today := (asked_at at time zone 'utc')::date;
    calls_today := 0;
  end if;
  if calls_today >= p_per_day then
    return -1;
  end if;
  slot := greatest(slot, asked_at);
  if slot - asked_at > make_interval(secs => p_max_waiting::double precision / p_per_second) then
    return null;
  end if;
  update private.service_slots s
  set next_at = slot + make_interval(secs => 1.0 / p_per_second), day = today, calls = calls_today + 1
  where s.service = p_service;
  return ceil(extract(epoch from slot - asked_at) * 1000);
end
$$;
comment on function public.claim_service_slot is
  'Reserves the next call to a service: how many milliseconds to wait before making it; null when p_max_waiting calls wait already, -1 '
  'when p_per_day calls were made today.';

grant execute on function public.claim_service_slot(text, integer, integer, integer) to service_role;

create function public.limit_service_share(p_service text, p_headers jsonb, p_most integer, p_per interval) returns void
language sql volatile security definer set search_path = '' as $$
  select private.limit_subject(private.address_subject(p_headers), 'service ' || p_service, p_most, p_per)
$$;
comment on function public.limit_service_share is
  'Refuses with too_many when one address, named by the headers of its request, caused more than p_most calls to a service in p_per.';

grant execute on function public.limit_service_share(text, jsonb, integer, interval) to service_role;

-- jobs.sql
-- The queue of jobs: what is done later, again, or by whichever host is free; drained by hosts, or by functions that the platform's
-- cron calls.

create table private.jobs (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z-]*$'),
  key text,
  payload jsonb not null default '{}',
  user_id uuid references auth.users (id) on delete cascade,
  every interval,
  due_at timestamptz not null default now(),
  expires_at timestamptz,
  attempts integer not null default 0,
  lost_leases integer not null default 0,
  lease uuid,
  again boolean not null default false,
  error text,
  failed_at timestamptz,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  unique (kind, key)
);
comment on table private.jobs is
  'A row is deleted when its job is done, unless it comes again (every). One with failed_at is a dead letter: an operator retries or '
  'drops it, also where it came again.';
comment on column private.jobs.key is 'Of two jobs of a kind with one key the later one takes the place of the earlier.';
comment on column private.jobs.user_id is 'Whom it is about: it goes with the account.';
comment on column private.jobs.due_at is 'When it may be claimed; while it has a lease, when that runs out.';
comment on column private.jobs.expires_at is 'When it has lost its purpose. Until then failures are repeated.';
comment on column private.jobs.lost_leases is 'How often its runner ended without saying what became of it.';
comment on column private.jobs.again is 'It was asked for once more while it ran.';
comment on column private.jobs.error is 'Why the last attempt failed; without personal data.';
alter table private.jobs enable row level security;

create index jobs_due on private.jobs (kind, due_at) where failed_at is null;
create index on private.jobs (user_id);

create function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days',
  p_due_at timestamptz default now(), p_joins boolean default false
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, due_at, expires_at)
  values (p_kind, p_key, p_payload, p_user_id, p_due_at, p_due_at + p_lifetime)
  on conflict (kind, key) do update set
    payload = case when p_joins and j.failed_at is null then j.payload else excluded.payload end, user_id = excluded.user_id,
    -- What ends its runners again and again is not made harmless by being asked for once more; an operator retries it.
    failed_at = case when j.every is not null then j.failed_at end,
    -- One that waits after a failure has failed until its next attempt says otherwise: whether mails are late must not flap.
    error = case when j.every is not null or j.failed_at is null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is not null then j.due_at
      when p_joins and j.failed_at is null then least(j.due_at, excluded.due_at) else excluded.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;
comment on function private.add_job is
  'Asks for a job in the caller''s transaction; its lifetime begins when it is due. One that comes again (every) is asked for at once by '
  'its kind and the key ''''. One that joins (p_joins) another that waits, or runs, leaves that its payload, and does not put it off.';

create function private.schedule_job(p_kind text, p_every interval) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs as j (kind, key, every) values (p_kind, '', p_every)
  on conflict (kind, key) do update set every = excluded.every where j.every is distinct from excluded.every
$$;
comment on function private.schedule_job is 'Makes a job come again, however many hosts say so; a new one is due at once.';

create function private.record_job(p_kind text, p_every interval) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs as j (kind, key, every, done_at, due_at) values (p_kind, '', p_every, now(), now() + p_every)
  on conflict (kind, key) do update set done_at = now(), due_at = now() + coalesce(j.every, p_every), error = null, attempts = 0
$$;
comment on function private.record_job is 'Somebody did by hand what comes again: it is due an interval later.';

create function private.claim_jobs(p_kind text, p_limit integer default 1, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, payload jsonb, attempts integer)
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- What lost its purpose, or ended its runner three times, is not tried again.
  update private.jobs j set failed_at = now(), lease = null,
    error = case when o.poison then 'Its runner ended three times without an answer' else coalesce(j.error, 'Nobody ran it in time') end
  from (
    select d.id, d.lease is not null and d.lost_leases >= 2 as poison from private.jobs d
    where d.kind = p_kind and d.failed_at is null and d.due_at <= now()
      and ((d.every is null and d.expires_at <= now()) or (d.lease is not null and d.lost_leases >= 2))
    for update skip locked
  ) o where j.id = o.id;
  return query
    with due as (
      select d.id from private.jobs d where d.kind = p_kind and d.failed_at is null and d.due_at <= now()
      order by d.due_at, d.id limit p_limit for update skip locked
    )
    update private.jobs j set attempts = j.attempts + 1, lost_leases = j.lost_leases + (j.lease is not null)::integer,
      lease = gen_random_uuid(), due_at = now() + make_interval(secs => p_lease_seconds), again = false
    from due where j.id = due.id
    returning j.id, j.lease, j.payload, j.attempts;
end
$$;
comment on function private.claim_jobs is
  'Leases due jobs of a kind to one runner, which says what became of them (finish_job) before the lease runs out, or extends it.';

create function private.extend_job(p_id bigint, p_lease uuid, p_lease_seconds integer default 60) returns boolean
language sql volatile security definer set search_path = '' as $$
  with extended as (
    update private.jobs j set due_at = now() + make_interval(secs => p_lease_seconds)
    where j.id = p_id and j.lease = p_lease returning 1
  ) select exists (select from extended)
$$;

create function private.finish_job(
  p_id bigint, p_lease uuid, p_error text default null, p_retry_seconds integer default null, p_final boolean default false
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_error is null then
    delete from private.jobs j where j.id = p_id and j.lease = p_lease and j.every is null and not j.again;
    update private.jobs j set lease = null, attempts = 0, lost_leases = 0, again = false, error = null, done_at = now(),
      due_at = case when j.again then now() else now() + j.every end
    where j.id = p_id and j.lease = p_lease;
    return;
  end if;
  -- What was asked for anew meanwhile has not failed yet.
  update private.jobs j set lease = null, lost_leases = 0, again = false, error = p_error,
    attempts = case when j.again then 0 else j.attempts end,
    due_at = case when j.again then now()
      else now() + make_interval(secs => coalesce(p_retry_seconds, least(15 * 2 ^ least(j.attempts - 1, 10), 900)::integer)) end,
    failed_at = case when p_final and not j.again and j.every is null then now() end
  where j.id = p_id and j.lease = p_lease;
end
$$;
comment on function private.finish_job is
  'Done, or failed with an error: then it comes again after a pause that doubles from 15 seconds to 15 minutes, or is a dead letter at '
  'once (p_final). Nothing happens where the lease was lost.';

create function private.mail_is_late() returns boolean
language sql stable security definer set search_path = '' as $$
  -- The kinds are those of auth-mails.ts, the error is SERVER_UNUSABLE of mailer.ts. Also what was asked for emails without an
  -- account waits, so that this tells nothing of any of them.
  select exists (
    select from private.jobs j
    where j.kind in ('request-mail', 'send-mail') and j.failed_at is null
      and (starts_with(j.error, 'The mail server cannot be used') or (j.lease is null and j.due_at < now() - interval '1 minute'))
  )
$$;
comment on function private.mail_is_late is 'Whether mails wait because the mail server takes none, or nobody sends them.';

create function public.mail_is_late() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=10"}]', true);
  return private.mail_is_late();
end
$$;
comment on function public.mail_is_late is 'Whether mails are late, for people who wait for one.';

grant execute on function public.mail_is_late() to anon, authenticated;

insert into private.retention (name, run_order, statement) values
  ('jobs: dead letters 30 days, and what is not run here one day after it expired', 50, $$delete from private.jobs j
    where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day')$$);

insert into private.exports (relation, left_out) values
  ('private.jobs', 'repeats mails and pushes that are still to be sent, for two days at most, without their text');

-- trust.sql
-- Trust in what people say: how often somebody may do something, and how much a word about a park weighs. One design for
-- check-ins, live reports, ratings, invites and friend requests, without a place that is kept; docs/trust.md has it in plain words.

create type public.standing as enum ('newcomer', 'newcomer_there', 'regular', 'regular_there');
comment on type public.standing is
  'How well the product knew somebody at the moment of a word about a park: whether they had checked in there, and on other days before.';

-- Functions: the numbers, each once ------------------------------------------------------------------------------

create function private.action_limits()
returns table (action text, per interval, regulars integer, newcomers integer, with_one_person integer)
language sql immutable set search_path = '' as $$
  values
    ('check_in', interval '1 day', 30, 15, null::integer),
    ('check_in_without_place', interval '1 day', 6, 6, null),
    ('live_report', interval '1 hour', 30, 10, null),
    ('suggest', interval '1 day', 40, 15, null),
    ('review', interval '1 day', 30, 15, null),
    ('rename', interval '1 day', 10, 5, null),
    ('send_friend_request', interval '1 day', 50, 20, 3),
    ('invite_to_park', interval '1 day', 30, 15, 6),
    ('make_pack_time', interval '1 day', 3, 0, null),
    ('report_lost_dog', interval '1 day', 6, 3, null),
    ('report_sighting', interval '1 day', 20, 5, 6),
    ('make_dog_invite', interval '1 day', 20, 10, null)
$$;
comment on function private.action_limits is 'How often somebody may do what others see: in all, and towards one person.';

create function private.most_dogs() returns integer language sql immutable set search_path = '' as $$ select 20 $$;
comment on function private.most_dogs is 'Dogs of a profile, and of a check-in.';

create function private.most_newcomer_dogs() returns integer language sql immutable set search_path = '' as $$ select 6 $$;
comment on function private.most_newcomer_dogs is 'Dogs of newcomers that count at one park at a time: newcomers alone make no park busy.';

create function private.days_to_regular() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.days_to_regular is 'On so many earlier days a regular has made a visit.';

create function private.weight(p_standing public.standing) returns integer
language sql immutable set search_path = '' as $$
  select case p_standing when 'newcomer' then 1 when 'newcomer_there' then 2 when 'regular' then 3 when 'regular_there' then 4 end
$$;
comment on function private.weight is 'How much one word about a condition of a park weighs.';

create function private.most_newcomer_weight() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.most_newcomer_weight is 'How much the words of all newcomers on one side weigh together.';

create function private.most_support() returns integer language sql immutable set search_path = '' as $$ select 7 $$;
comment on function private.most_support is
  'How much those who say that a condition is there weigh together: two regulars who have been there can always end it.';

create function private.just_left() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.just_left is 'So long after a visit somebody still speaks of a park as one who is there.';

create function private.newcomer_share() returns numeric language sql immutable set search_path = '' as $$ select 0.25 $$;
comment on function private.newcomer_share is
  'What a newcomer''s rating, and a report by a newcomer who has not been there, count for of another one; and all newcomers'' ratings '
  'together, of all the others.';

-- Functions: who is who ------------------------------------------------------------------------------------------

create function private.is_regular(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(distinct private.park_day(c.started_at)) >= private.days_to_regular()
    from public.check_ins c
    where c.user_id = p_user_id and c.kind = 'visit' and c.started_at < private.day_start()
      and coalesce(c.ended_at, c.expires_at) - c.started_at >= private.shortest_visit());
end
$$;
comment on function private.is_regular is
  'Whether somebody made visits on enough earlier days. Nothing is kept for it but the visits, so it lasts as long as they do.';

create function private.has_been_at(p_user_id uuid, p_park_id bigint) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.check_ins c
    where c.user_id = p_user_id and c.park_id in (select part from private.park_parts(p_park_id) part) and c.kind = 'visit');
end
$$;
comment on function private.has_been_at is 'Whether somebody is checked in at a park, or was within the days that visits are kept.';

create function private.was_there_since(p_user_id uuid, p_park_id bigint, p_since timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.check_ins c
    where c.user_id = p_user_id and c.park_id in (select part from private.park_parts(p_park_id) part) and c.kind = 'visit'
      and coalesce(c.ended_at, c.expires_at) > p_since);
end
$$;
comment on function private.was_there_since is 'Whether somebody is checked in at a park, or was at some time since a moment.';

create function private.standing_at(p_user_id uuid, p_park_id bigint) returns public.standing
language sql stable security definer set search_path = '' as $$
  select case
    when private.is_regular(p_user_id) then case when private.has_been_at(p_user_id, p_park_id) then 'regular_there' else 'regular' end
    else case when private.has_been_at(p_user_id, p_park_id) then 'newcomer_there' else 'newcomer' end
  end::public.standing
$$;

create function private.newcomers_fit(p_park_id bigint, p_dogs integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Two at once would each count without the other.
  perform pg_advisory_xact_lock(hashtextextended('newcomers:' || p_park_id, 0));
  return p_dogs + (
    select coalesce(sum(c.dog_count), 0) from private.present c
    where c.park_id = p_park_id and c.counted and not private.is_regular(c.user_id)
  ) <= private.most_newcomer_dogs();
end
$$;
comment on function private.newcomers_fit is 'Whether a newcomer''s dogs still count at a park.';

-- Functions: what follows ----------------------------------------------------------------------------------------

create function private.limit_action(p_user_id uuid, p_action text, p_with uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed record;
  other uuid;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  -- A person whose posting is paused may still go to the park.
  if p_action <> 'check_in' then
    perform private.refuse_limited(p_user_id);
  end if;
  perform private.limit_subject(p_user_id, p_action,
    case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end, allowed.per);
  foreach other in array p_with loop
    perform private.limit_pair(p_user_id, other, p_action, allowed.with_one_person, allowed.per);
  end loop;
end
$$;
comment on function private.limit_action is
  'Refuses with limited while a moderator paused posting, and with too_many what somebody did too often, in all or towards one of p_with. '
  'It counts the same whatever the others'' state is.';

create function private.within_limit(p_user_id uuid, p_action text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed record;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  return private.count_attempt(p_user_id, p_action, allowed.per)
    <= case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end;
end
$$;
comment on function private.within_limit is 'Counts like limit_action, and tells instead of refusing.';

create function private.average_rank(p_ranks integer[], p_newcomer_ranks integer[]) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when regulars.many = 0 then newcomers.total::numeric / nullif(newcomers.many, 0)
    else (regulars.total + newcomers.total * share) / (regulars.many + newcomers.many * share)
  end
  from (select sum(n * i) as total, sum(n) as many from unnest(p_newcomer_ranks) with ordinality u (n, i)) newcomers,
    lateral (select sum(n * i) - newcomers.total as total, sum(n) - newcomers.many as many from unnest(p_ranks) with ordinality u (n,
      i)) regulars,
    lateral (select private.newcomer_share() * least(1, regulars.many::numeric / nullif(newcomers.many, 0)) as share_or_null) s,
    lateral (select coalesce(s.share_or_null, 0) as share) shared
$$;
comment on function private.average_rank is
  'The average of a park''s ratings (how many gave 1 to 5), of which p_newcomer_ranks are by newcomers: these together weigh at most '
  'newcomer_share of the others. Null without any.';

-- users.sql
-- Users: the public half of an account, and what they agreed to.

create type public.theme as enum ('light', 'dark');

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80 and name !~ '[[:cntrl:]]'),
  hidden boolean not null default false,
  theme public.theme,
  language public.language not null default 'en',
  created_at timestamptz not null default now(),
  picture text,
  show_friends boolean not null default false,
  show_favourites boolean not null default false
);
comment on table public.users is 'The public half of an account.';
comment on column public.users.hidden is 'Hide me: absent from search; only friends, and people this user sent a request to, see the page.';
comment on column public.users.theme is 'Null follows the device.';
comment on column public.users.picture is 'A photo of their first dog that has one: its path in the bucket users; null: none.';
comment on column public.users.show_friends is 'Friends see who this user''s friends are.';
comment on column public.users.show_favourites is 'Friends see this user''s favourite parks.';
alter table public.users enable row level security;

create table private.user_consents (
  user_id uuid primary key references public.users (id) on delete cascade,
  age_confirmed_at timestamptz,
  terms_accepted_at timestamptz,
  licence_agreed_at timestamptz
);
comment on table private.user_consents is
  'When a user said to be old enough (no birth year is stored), accepted the terms, and agreed that facts they give are published under '
  'the ODbL.';
alter table private.user_consents enable row level security;

grant select on public.users to authenticated;
grant update (name, hidden, theme, language, show_friends, show_favourites) on public.users to authenticated;

-- With the id: thousands may have one name, and of them the first by id are shown.
create index users_name_start on public.users (lower(name) text_pattern_ops, id);
create index users_name_trgm on public.users using gin (lower(name) extensions.gin_trgm_ops);

create function private.is_reserved_name(p_name text) returns boolean
language sql immutable set search_path = '' as $$
  -- Written as one word, anywhere; written with spaces, as whole words only: 'Backpack Parker' is a name.
  select n.latin ~ 'packpark|(^| )p *a *c *k *p *a *r *k( |$)'
    or n.hebrew ~ 'פא?קפא?רק|(^| )פ *א? *ק *פ *א? *ר *ק( |$)'
    or n.arabic ~ 'باكبارك|(^| )ب *ا *ك *ب *ا *ر *ك( |$)'
  from (
    select
      -- Without accents, in small letters; with the Greek and Cyrillic letters that look like Latin ones.
      regexp_replace(
        translate(regexp_replace(lower(normalize(p_name, nfkd)), '[\u0300-\u036f]', '', 'g'), 'аαрρсϲкκ40', 'aappcckkao'),
        '[^a-z ]', '', 'g') as latin,
      regexp_replace(p_name, '[^\u05d0-\u05ea ]', '', 'g') as hebrew,
      regexp_replace(p_name, '[^\u0620-\u064a ]', '', 'g') as arabic
  ) n
$$;
comment on function private.is_reserved_name is 'Whether a name passes its bearer off as the product.';

create function private.check_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.name := private.clean_name(new.name);
  -- Without a caller it is a sign-up, the seed or an operator.
  if auth.uid() is not null and (new.name = '' or private.is_reserved_name(new.name)) then
    perform private.fail('name_not_allowed', 'A name has letters that can be seen, and is not the name of the product.');
  end if;
  -- Others read a name in requests and pushes: it can be a message.
  if auth.uid() is not null and tg_op = 'UPDATE' and new.name <> old.name then
    perform private.limit_action(new.id, 'rename');
    perform private.refuse_unconfirmed_age(new.id);
  end if;
  return new;
end
$$;
create trigger check_name before insert or update of name on public.users
  for each row execute function private.check_name();

-- The person who typed an email need not own it, so the public half (what others find, ask and see) is made once somebody proves
-- the email, or is let in where no proof is asked for.
create function private.create_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  language public.language := case when given ->> 'language' = any (enum_range(null::public.language)::text[])
    then (given ->> 'language')::public.language else private.site_language() end;
  name text := btrim(left(coalesce(nullif(private.clean_name(given ->> 'full_name'), ''), private.clean_name(given ->> 'name'), ''), 80));
begin
  -- An account that is confirmed again has its public half already.
  if exists (select from public.users u where u.id = new.id) then
    return null;
  end if;
  -- Apple may give no name; the part of the email before the @ is private.
  insert into public.users (id, name, language)
  values (new.id, case when name = '' or private.is_reserved_name(name) then private.texts(language) ->> 'new_user' else name end,
    language);
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;
create trigger create_user after insert on auth.users for each row
  when (coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();
create trigger create_confirmed_user after update on auth.users for each row
  when (coalesce(old.email_confirmed_at, old.phone_confirmed_at, old.last_sign_in_at) is null
    and coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();

create function private.require_user() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid;
begin
  -- Tokens are out for an hour where the auth service alone looks at a ban.
  select u.id into me from public.users u join auth.users a on a.id = u.id
  where u.id = auth.uid() and (a.banned_until is null or a.banned_until <= now());
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  if not private.second_factor_done() then
    perform private.fail('second_factor_required', 'Give the code of the second factor first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.require_user is
  'The caller''s id; refuses when not logged in, before the second factor, while suspended, or when the account is gone but its token is '
  'not.';

create function private.my_language() returns public.language
language sql stable security definer set search_path = '' as $$
  select coalesce((select u.language from public.users u where u.id = private.uid()), private.site_language())
$$;

create function private.is_old_enough(p_user_id uuid) returns boolean
language sql stable as $$
  select exists (select from private.user_consents c where c.user_id = p_user_id and c.age_confirmed_at is not null)
$$;
comment on function private.is_old_enough is 'Whether this person confirmed the age; before that they show nothing and are not found.';

create function private.is_shown(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_old_enough(p_user_id)
$$;
comment on function private.is_shown is 'The same, for policies, which run with the rights of the caller.';
grant execute on function private.is_shown(uuid) to authenticated;

create function private.refuse_unconfirmed_age(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A signup with an email says it there; Google and Apple do not ask for us.
  if not private.is_old_enough(p_user_id) then
    perform private.fail('age_required', 'Confirm that you are old enough first.');
  end if;
end
$$;

create function private.require_age() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.refuse_unconfirmed_age(me);
  return me;
end
$$;
comment on function private.require_age is
  'The caller''s id, before anything that others see of them; refuses before the age is confirmed.';

create function private.require_consent() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  given private.user_consents;
begin
  select c.* into given from private.user_consents c where c.user_id = private.require_user();
  if given.terms_accepted_at is null then
    perform private.fail('terms_required', 'Accept the terms of use before the first post.');
  end if;
  perform private.refuse_limited(given.user_id);
  return private.require_age();
end
$$;
comment on function private.require_consent is
  'The caller''s id; refuses before the terms are accepted and the age is confirmed, and while a moderator paused posting.';

create function private.require_contributor() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
begin
  if not exists (select from private.user_consents c where c.user_id = me and c.licence_agreed_at is not null) then
    perform private.fail('licence_required', 'Agree first that facts about parks are published under the ODbL.');
  end if;
  return me;
end
$$;
comment on function private.require_contributor is
  'The caller''s id; refuses before the terms, the age and the licence of contributed facts are agreed to.';

-- Who sees whom is decided by friendships and blocks: the policy for select is in friendships.sql.
create policy "users can change themselves" on public.users for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy "nothing before the second factor" on public.users as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.my_consents() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('age_confirmed', c.age_confirmed_at is not null, 'terms_accepted', c.terms_accepted_at is not null,
    'licence_agreed', c.licence_agreed_at is not null)
  from private.user_consents c where c.user_id = private.require_user()
$$;

create function public.accept_terms(p_licence boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  update private.user_consents c
  set terms_accepted_at = coalesce(c.terms_accepted_at, now()),
    licence_agreed_at = case when p_licence then coalesce(c.licence_agreed_at, now()) else c.licence_agreed_at end
  where c.user_id = me;
  if p_licence then
    delete from private.unlicensed_contributions u where u.user_id = me;
  end if;
end
$$;
comment on function public.accept_terms is
  'p_licence: the terms that were shown say that facts are published under the ODbL. What the caller gave before is under it from then '
  'on, too.';

create function public.confirm_age() returns void
language sql volatile security definer set search_path = '' as $$
  update private.user_consents c set age_confirmed_at = coalesce(c.age_confirmed_at, now()) where c.user_id = private.require_user()
$$;

grant execute on function public.my_consents(), public.accept_terms(boolean), public.confirm_age() to authenticated;

insert into private.exports (relation, part, is_list, statement) values
  ('public.users', 'user', false, $$select to_jsonb(u) from public.users u where u.id = $1$$),
  ('private.user_consents', 'consents', false, $$select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = $1$$);

-- measures.sql
-- Measures against people: a warning, a pause of posting, a suspension until a date, a ban. The rules that follow are asked
-- where people act: private.require_consent, private.limit_action, private.require_user and, for sessions, auth.users.banned_until.

create type public.measure as enum ('warn', 'limit', 'suspend', 'ban');

create type public.decision_reason as enum (
  'duplicate', 'not_a_park', 'wrong_place', 'not_true', 'unclear', 'wrong_park', 'poor_photo', 'people_in_photo',
  'spam', 'inappropriate', 'misinformation', 'fake', 'personal_information', 'harassment'
);
comment on type public.decision_reason is
  'Why a moderator decided against something; the person reads it in their own language (private.texts).';

create table private.measures (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  measure public.measure not null,
  reason public.decision_reason not null,
  until timestamptz check (until is null or measure in ('limit', 'suspend')),
  shown boolean not null,
  taken_at timestamptz not null default now(),
  lifted_at timestamptz
);
comment on table private.measures is 'What moderators did about a person; the person gets it by mail and in the export.';
comment on column private.measures.until is 'Null of a warning, a ban, and a limit for good.';
comment on column private.measures.shown is
  'False where it was taken by something whose author moderators may not know, such as an anonymous review: then no moderator sees it '
  'with the person.';
alter table private.measures enable row level security;

create table private.kept_measures (
  id uuid primary key default gen_random_uuid(),
  salt uuid not null,
  email_hash bytea not null,
  measure public.measure not null,
  reason public.decision_reason not null,
  until timestamptz,
  shown boolean not null,
  taken_at timestamptz not null,
  remove_at timestamptz not null
);
comment on table private.kept_measures is
  'What was in force about somebody when their account went, so that it holds for whoever comes back with the same email; it is in '
  'private.measures again from then on.';
comment on column private.kept_measures.email_hash is 'private.salted_hash of the email, which is stored nowhere.';
comment on column private.kept_measures.remove_at is 'When the measure ends, or one year after the account did.';
alter table private.kept_measures enable row level security;

create index on private.measures (user_id);

-- Without rights and a search_path of its own it becomes part of the statement that asks it.
create function private.measures_in_force(p_user_id uuid) returns setof private.measures
language sql stable as $$
  select m.* from private.measures m
  where m.user_id = p_user_id and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now()
$$;
comment on function private.measures_in_force is 'What limits, suspends or bans a person now.';

create function private.is_limited(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.measures_in_force(p_user_id))
$$;
comment on function private.is_limited is 'Whether a person may not post now: limited, suspended or banned.';

create function private.refuse_limited(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_limited(p_user_id) then
    perform private.fail('limited', 'A moderator has paused posting for this account.');
  end if;
end
$$;

create function private.apply_measures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  ends timestamptz;
begin
  select max(coalesce(m.until, now() + interval '100 years')) into ends
  from private.measures_in_force(person) m where m.measure in ('suspend', 'ban');
  -- Not infinity: the platform's auth service cannot read it.
  update auth.users a set banned_until = ends where a.id = person and a.banned_until is distinct from ends;
  return null;
end
$$;
comment on function private.apply_measures is 'The auth service refuses sessions until the longest suspension ends.';
create trigger apply_new_measure after insert on private.measures
  for each row when (new.measure in ('suspend', 'ban')) execute function private.apply_measures();
create trigger apply_changed_measure after update of until, lifted_at or delete on private.measures
  for each row when (old.measure in ('suspend', 'ban')) execute function private.apply_measures();

create function private.salted_hash(p_salt uuid, p_text text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(uuid_send(p_salt) || convert_to(lower(p_text), 'utf8'))
$$;

create function private.keep_measures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  salt uuid := gen_random_uuid();
begin
  insert into private.kept_measures (salt, email_hash, measure, reason, until, shown, taken_at, remove_at)
  select salt, private.salted_hash(salt, a.email), m.measure, m.reason, m.until, m.shown, m.taken_at,
    least(coalesce(m.until, 'infinity'), now() + interval '1 year')
  from private.measures_in_force(old.id) m join auth.users a on a.id = m.user_id
  where a.email is not null;
  return old;
end
$$;
comment on function private.keep_measures is 'Whichever half of an account goes first: with the other one there is nothing left to keep.';
create trigger keep_measures before delete on public.users for each row execute function private.keep_measures();
create trigger keep_measures before delete on auth.users for each row execute function private.keep_measures();

create function private.return_measures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  with returned as (
    delete from private.kept_measures k using auth.users a
    where a.id = new.id and k.email_hash = private.salted_hash(k.salt, a.email) and k.remove_at > now()
    returning k.*
  )
  insert into private.measures (user_id, measure, reason, until, shown, taken_at)
  select new.id, r.measure, r.reason, r.until, r.shown, r.taken_at from returned r;
  return null;
end
$$;
comment on function private.return_measures is
  'For an account whose email was proved, where the site asks for that: the public half is made then. Nobody else''s typing of it takes a '
  'measure away.';
create trigger return_measures after insert on public.users for each row execute function private.return_measures();

insert into private.retention (name, run_order, statement) values
  ('measures of deleted accounts: until they end', 50, $$delete from private.kept_measures k where k.remove_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('private.measures', 'measures', $$select m.taken_at, m.id::text, to_jsonb(m) - array['id', 'user_id', 'shown']
    from private.measures m where m.user_id = $1$$);

-- roles.sql
-- Roles: who may work at the desk. Every function of the desk asks private.require_role, so no screen and no client decides it.

create type public.role as enum ('town', 'moderator', 'administrator');

create table private.towns (
  id bigint generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 80),
  parks bigint[] not null,
  area polygon,
  mail text check (char_length(mail) <= 254 and mail ~ '^[^@\s,;<>"()]+@[^@\s,;<>"()]+\.[^@\s,;<>"()]+$'),
  mail_language public.language,
  mail_code bytea,
  mail_asked_at timestamptz,
  check (parks <> '{}' or area is not null)
);
comment on table private.towns is 'Towns, and which parks are theirs: those named here, and those in the area; no personal data.';
comment on column private.towns.area is 'Its points are (longitude, latitude).';
comment on column private.towns.mail is 'The town''s address, to which verified hazards are mailed; null: none.';
comment on column private.towns.mail_code is 'Hash of the code that was mailed to ask whether the address is right, empty before; null once it was entered.';
alter table private.towns enable row level security;

create table public.user_roles (
  user_id uuid primary key references public.users (id) on delete cascade,
  role public.role not null,
  granted_at timestamptz not null default now(),
  told_at timestamptz not null default '-infinity',
  factor_id uuid,
  code_hash bytea,
  town_id bigint references private.towns (id),
  check ((role = 'town') = (town_id is not null))
);
comment on table public.user_roles is
  'Moderators, administrators, and people of a town. An administrator may do what a moderator may, and sees the operator''s page; '
  'a town speaks for its own parks, and sees nothing else of the desk.';
comment on column public.user_roles.told_at is 'When this person was last told by mail that something waits.';
comment on column public.user_roles.factor_id is
  'The second factor that opens the desk. One that came later does not: who stole the password may have made it.';
comment on column public.user_roles.code_hash is
  'Of the code that the administrator hands over, with which its reader makes their factor this one, once and within a week.';
alter table public.user_roles enable row level security;

create index on public.user_roles (town_id);

grant select on public.user_roles to authenticated;

create function private.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  -- The factor itself is asked for, too: a session stays aal2 after its factor was removed.
  select r.role from public.user_roles r join auth.users a on a.id = r.user_id
    join auth.mfa_factors f on f.id = r.factor_id and f.user_id = r.user_id and f.status = 'verified'
  where r.user_id = auth.uid() and auth.jwt() ->> 'aal' = 'aal2'
    and (a.banned_until is null or a.banned_until <= now())
    and not private.is_limited(r.user_id)
$$;
comment on function private.my_role is
  'The caller''s role at the desk; null without one, before the second factor, and while the caller is limited, suspended or banned.';

create function private.is_moderator() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(private.my_role() >= 'moderator', false)
$$;
grant execute on function private.is_moderator() to authenticated;

create function private.require_role(p_role public.role default 'moderator') returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Operators come with the service key, or with SQL and no caller at all.
  if coalesce(auth.role(), 'service_role') = 'service_role' then
    return null;
  end if;
  if coalesce(private.my_role() < p_role, true) then
    perform private.fail('desk_closed', 'This is for moderators, with their second factor.', '42501');
  end if;
  return auth.uid();
end
$$;
comment on function private.require_role is
  'The id of a caller with this role or a higher one, null for an operator; refuses everybody else with the same words.';

create policy "users see their own role" on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.user_roles as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

insert into private.exports (relation, part, is_list, statement) values
  ('public.user_roles', 'role', false,
    $$select to_jsonb(r) - '{user_id,factor_id,code_hash,town_id}'::text[]
      || jsonb_build_object('town', (select t.name from private.towns t where t.id = r.town_id))
    from public.user_roles r where r.user_id = $1$$);

create function private.role_code_hash(p_code text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(upper(regexp_replace(left(p_code, 100), '[^[:alnum:]]', '', 'g')), 'utf8'))
$$;

create function private.new_code() returns text
language sql volatile set search_path = '' as $$
  select regexp_replace(upper(left(encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'utf8')), 'hex'), 20)),
    '(.{5})(?=.)', '\1-', 'g')
$$;

-- audit_log.sql
-- The audit log of the desk: every act of a moderator, administrator or operator. Nobody changes it, whatever their role.

create table private.audit_handles (
  user_id uuid primary key references public.users (id) on delete cascade,
  handle uuid not null unique default gen_random_uuid()
);
comment on table private.audit_handles is
  'By which random number the audit log names a person. It goes with the account; then the log, which stays, names no person.';
alter table private.audit_handles enable row level security;

create table private.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor uuid,
  act text not null check (act ~ '^[a-z_]+$'),
  item text,
  details jsonb not null default '{}',
  hash bytea not null
);
comment on table private.audit_log is
  'Append-only, and each row''s hash has the hash of the row before in it. It holds no text that people wrote, and no ids of theirs.';
comment on column private.audit_log.actor is 'The handle of the person who acted; null for an operator with the machine''s own rights.';
comment on column private.audit_log.item is 'What it was about: kind and id of an item of the desk, or the handle of a person.';
alter table private.audit_log enable row level security;

-- The service key reads and writes everything else, but not this.
revoke all on private.audit_log, private.audit_handles from service_role;

create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.fail('append_only', 'Rows are only added here.', '42501');
  return null;
end
$$;
create trigger refuse_change before update or delete or truncate on private.audit_log
  for each statement execute function private.refuse_change();

create function private.audit_hash(p_before bytea, p_row private.audit_log) returns bytea
language sql stable set search_path = '' as $$
  select sha256(p_before || convert_to(
    jsonb_build_array(p_row.id, extract(epoch from p_row.at), p_row.actor, p_row.act, p_row.item, p_row.details)::text, 'utf8'))
$$;

create function private.audit_handle(p_user_id uuid) returns uuid
language sql volatile security definer set search_path = '' as $$
  insert into private.audit_handles (user_id) select u.id from public.users u where u.id = p_user_id on conflict do nothing;
  select h.handle from private.audit_handles h where h.user_id = p_user_id
$$;

create function private.audit_each(p_act text, p_items text[], p_details jsonb[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  entry private.audit_log;
  entries private.audit_log[] := '{}';
begin
  -- One after the other, so that each hash has the one before it.
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  entry.hash := coalesce((select l.hash from private.audit_log l order by l.id desc limit 1), '');
  entry.actor := private.audit_handle(auth.uid());
  entry.act := p_act;
  for place in 1 .. cardinality(p_items) loop
    entry.id := nextval(pg_get_serial_sequence('private.audit_log', 'id'));
    entry.at := clock_timestamp();
    entry.item := p_items[place];
    entry.details := coalesce(p_details[place], '{}');
    entry.hash := private.audit_hash(entry.hash, entry);
    entries := entries || entry;
  end loop;
  insert into private.audit_log overriding system value select e.* from unnest(entries) e;
end
$$;
comment on function private.audit_each is
  'Adds what the caller does to each of some items to the audit log, in the transaction that does it: as the last thing there, because '
  'whoever else adds something waits from here on until it commits, and must never wait for what this transaction still wants to lock.';

create function private.audit(p_act text, p_item text default null, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(p_act, array[p_item], array[p_details]);
end
$$;
comment on function private.audit is
  'Adds one thing that the caller does to the audit log, as the last thing of its transaction (private.audit_each).';

create function private.first_broken_audit_row() returns bigint
language sql stable security definer set search_path = '' as $$
  select min(l.id) from (
    select o.id, o.hash, private.audit_hash(coalesce(lag(o.hash) over (order by o.id), ''), o) as right_hash from private.audit_log o
  ) l where l.hash <> l.right_hash
$$;
comment on function private.first_broken_audit_row is
  'The first row of the audit log that somebody with the database''s own rights changed, or that stands after one they removed; null '
  'where there is none.';

insert into private.exports (relation, left_out) values
  ('private.audit_handles', 'a random number, which the audit log has instead of the person');

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb, person text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details,
      (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where 'person:' || h.handle = l.item)
    -- One condition, so that the index finds the place: with 'or' an older page reads all that is newer.
    from private.audit_log l where l.id < coalesce(p_before, 9223372036854775807) order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is
  'The audit log, newest first, 100 at a time; an actor without a name is an operator, or an account that is deleted; '
  'person is the name of the one whom an entry is about.';

grant execute on function public.desk_audit_log(bigint) to authenticated, service_role;

-- blocks.sql
-- Blocks: neither of the two sees the other anywhere.

create table public.blocks (
  blocker uuid not null default auth.uid() references public.users (id) on delete cascade,
  blocked uuid not null references public.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  listed boolean not null default true,
  name text,
  primary key (blocker, blocked),
  check (blocker <> blocked)
);
comment on table public.blocks is 'Neither of the two sees the other anywhere; only the blocker knows why.';
comment on column public.blocks.listed is
  'Whether the blocker saw or heard from the other then. Other blocks count as much, but the blocker reads them only once nothing else '
  'hides the other: see private.listed_blocks.';
comment on column public.blocks.name is 'Of the other, where listed: what they call themselves later is not for the blocker.';
alter table public.blocks enable row level security;

grant select, delete on public.blocks to authenticated;

create index on public.blocks (blocked);

create function private.blocked_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5 as $$
  with me as materialized (select private.uid() as id)
  select b.blocked from me join public.blocks b on b.blocker = me.id
  union all
  select b.blocker from me join public.blocks b on b.blocked = me.id
$$;
comment on function private.blocked_ids is 'Everybody with a block between them and the caller, whoever made it.';

create function private.is_blocked_with(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (select from public.blocks b where b.blocker = me.id and b.blocked = p_user_id)
      or exists (select from public.blocks b where b.blocker = p_user_id and b.blocked = me.id)
  from me
$$;

create function private.is_blocked_between(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.blocks b
    where (b.blocker = p_one and b.blocked = p_other) or (b.blocker = p_other and b.blocked = p_one))
$$;

-- Somebody who hides, has blocked the caller or is gone must look alike, so a block of such a person is not told of.
create function private.listed_blocks(p_user_id uuid) returns setof public.blocks
language sql stable security definer set search_path = '' rows 5 as $$
  select b.* from public.blocks b join public.users u on u.id = b.blocked
  where b.blocker = p_user_id and (b.listed or (not u.hidden and not exists (
    select from public.blocks o where o.blocker = b.blocked and o.blocked = b.blocker)))
$$;
comment on function private.listed_blocks is 'The blocks that this user made and may read of.';

create function private.listed_block_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5 as $$
  select b.blocked from private.listed_blocks(private.uid()) b
$$;
comment on function private.listed_block_ids is 'Whom the caller blocked and may read of.';

grant execute on function private.blocked_ids(), private.listed_block_ids() to anon, authenticated;

create policy "users see their own blocks" on public.blocks for select to authenticated
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));
create policy "users lift their own blocks" on public.blocks for delete to authenticated
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));
create policy "nothing before the second factor" on public.blocks as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  -- Kept also for somebody who blocked first or hides, so that it counts when that ends.
  insert into public.blocks as b (blocker, blocked, listed, name)
  select me, u.id, s.listed, case when s.listed then u.name end
  from public.users u cross join lateral (select private.may_see(u.id) or private.has_contacted_caller(u.id) as listed) s
  where u.id = p_user_id and u.id <> me
  on conflict (blocker, blocked) do update set listed = b.listed or excluded.listed, name = coalesce(b.name, excluded.name);
end
$$;

create function public.unblock_user(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.blocks b where b.blocker = private.require_user() and b.blocked = p_user_id
$$;

create function public.my_blocks() returns table (user_id uuid, name text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select u.id, coalesce(b.name, u.name), b.created_at
  from private.listed_blocks(private.uid()) b join public.users u on u.id = b.blocked
  order by b.created_at desc
$$;

grant execute on function public.block_user(uuid), public.unblock_user(uuid), public.my_blocks() to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.blocks', 'blocked', $$select b.created_at, o.id::text,
      jsonb_build_object('name', coalesce(b.name, o.name), 'since', b.created_at)
    from private.listed_blocks($1) b join public.users o on o.id = b.blocked$$);

-- friendships.sql
-- Friendships, and the rules that decide who may see whom.

create type private.friendship_status as enum ('pending', 'accepted', 'declined');

create table private.friendships (
  user_low uuid not null references public.users (id) on delete cascade,
  user_high uuid not null references public.users (id) on delete cascade,
  requester uuid not null,
  status private.friendship_status not null default 'pending',
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  primary key (user_low, user_high),
  check (user_low < user_high),
  check (requester in (user_low, user_high))
);
comment on table private.friendships is
  'One row per unordered pair. The sender of a declined request still sees it as pending; its receiver does not see it any more.';
alter table private.friendships enable row level security;

create table private.declined_requests (
  requester uuid not null references public.users (id) on delete cascade,
  receiver uuid not null references public.users (id) on delete cascade,
  declined_at timestamptz not null default now(),
  primary key (requester, receiver)
);
comment on table private.declined_requests is
  'Who was declined: a new request within 30 days (after removing the first) stays declined, and the receiver is not told.';
alter table private.declined_requests enable row level security;

create index on private.friendships (user_high);
create index on private.declined_requests (receiver);

create function private.most_request_notifications() returns integer language sql immutable set search_path = '' as $$ select 5 $$;
comment on function private.most_request_notifications is
  'Friend requests by newcomers that one person is told of in a day; the others stand in the list.';

create function private.end_friendship_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.friendships f
  where f.user_low = least(new.blocker, new.blocked) and f.user_high = greatest(new.blocker, new.blocked);
  return null;
end
$$;
create trigger end_friendship_on_block after insert on public.blocks for each row execute function private.end_friendship_on_block();

create function private.friend_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50 as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f on f.user_low = me.id and f.status = 'accepted'
  union all
  select f.user_low from me join private.friendships f on f.user_high = me.id and f.status = 'accepted'
$$;
comment on function private.friend_ids is 'The caller''s friends.';

create function private.known_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50 as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f
    on f.user_low = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_high))
  union all
  select f.user_low from me join private.friendships f
    on f.user_high = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_low))
$$;
comment on function private.known_ids is 'The caller''s friends and those who asked the caller: they are visible even when hidden.';

create function private.is_friend(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join private.friendships f
      on f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id) and f.status = 'accepted'
  )
$$;

create function private.may_see(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join public.users u on u.id = p_user_id
    where u.id = me.id or (((not u.hidden and private.is_shown(u.id)) or u.id in (select private.known_ids()))
      and not private.is_blocked_with(u.id))
  )
$$;
comment on function private.may_see is 'Whether the caller may see this user''s page; the same rule as the policy on users.';

-- Two calls about the same two people run one after the other.
create function private.lock_pair(p_user_id uuid) returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('pair:' || least(p_user_id, auth.uid()) || greatest(p_user_id, auth.uid()), 0))
$$;

-- A request to somebody who hid afterwards looks like one to somebody who blocked or left: gone, wherever it is shown.
create function private.friendship_state(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select case when p_user_id = me.id then 'self' else coalesce((
    select case
      when f.status = 'accepted' then 'friends'
      when f.requester = me.id then case when private.may_see(p_user_id) then 'outgoing' end
      when f.status = 'pending' then 'incoming'
    end
    from private.friendships f
    where f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id)
  ), 'none') end
  from me
$$;

grant execute on function private.friend_ids() to authenticated;

grant execute on function private.known_ids() to anon, authenticated;

create policy "users see themselves, everybody not hidden, and whom they know" on public.users for select to authenticated
  using (
    id = (select auth.uid())
    or (
      ((not hidden and private.is_shown(id)) or id in (select private.known_ids()))
      and id not in (select private.blocked_ids())
    )
  );

create view public.friends with (security_barrier) as
  select u.id as user_id, u.name, f.accepted_at as since, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high) and f.status = 'accepted';
comment on view public.friends is 'The caller''s friends.';
comment on column public.friends.user_id is 'never null';
comment on column public.friends.name is 'never null';
comment on column public.friends.since is 'never null';

create view public.friend_requests with (security_barrier) as
  select u.id as user_id, u.name,
    case when f.requester = (select private.uid()) then 'outgoing' else 'incoming' end as direction,
    f.created_at, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high)
    and (f.status = 'pending' or (f.status = 'declined' and f.requester = (select private.uid())))
    and (not u.hidden or f.requester = u.id);
comment on view public.friend_requests is 'Requests to and from the caller; a declined one still counts as outgoing.';
comment on column public.friend_requests.user_id is 'never null';
comment on column public.friend_requests.name is 'never null';
comment on column public.friend_requests.direction is 'incoming or outgoing; never null';
comment on column public.friend_requests.created_at is 'never null';

grant select on public.friends, public.friend_requests to authenticated;

create function public.friends_of(p_user_id uuid) returns table (user_id uuid, name text, picture text)
language sql stable security definer set search_path = '' as $$
  select u.id, u.name, u.picture
  from (
    select f.user_high as id from private.friendships f where f.user_low = p_user_id and f.status = 'accepted'
    union all
    select f.user_low from private.friendships f where f.user_high = p_user_id and f.status = 'accepted'
  ) theirs
  join public.users u on u.id = theirs.id
  where private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_friends)
    and u.id <> (select private.uid())
    and (not u.hidden or u.id in (select private.known_ids()))
    and u.id not in (select private.blocked_ids())
  order by u.name, u.id
$$;
comment on function public.friends_of is 'The friends of a friend who shows them, without those whom the caller may not see; else none.';

create function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if p_user_id in (select private.listed_block_ids()) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- Nothing to do: friends already.
  elsif found_row.requester = p_user_id then
    -- Both want it, even when the caller once declined.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me and private.may_see(p_user_id) then
    null; -- Asked already.
  else
    -- Also where a request is pending with somebody who hid since: if repeating it cost nothing, the caller could tell
    -- somebody who hides from somebody who left.
    perform private.limit_action(me, 'send_friend_request', array[p_user_id]);
    -- Somebody who blocked or hides, and somebody who does not exist, all look like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  result := to_jsonb(case when found_row.status = 'accepted' or found_row.requester = p_user_id then 'friends' else 'outgoing' end);
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;

create function public.cancel_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.requester = me and f.status <> 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

create function public.accept_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'accepted', accepted_at = now()
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  return private.friendship_state(p_user_id);
end
$$;

create function public.decline_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'declined'
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  if found then
    insert into private.declined_requests (requester, receiver) values (p_user_id, me)
    on conflict (requester, receiver) do update set declined_at = now();
  end if;
  return private.friendship_state(p_user_id);
end
$$;

create function public.unfriend(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.status = 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

grant execute on function
  public.friends_of(uuid),
  public.send_friend_request(uuid, uuid),
  public.cancel_friend_request(uuid),
  public.accept_friend_request(uuid),
  public.decline_friend_request(uuid),
  public.unfriend(uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('declined requests: 30 days', 50, $$delete from private.declined_requests d where d.declined_at < now() - interval '30 days'$$);

insert into private.exports (relation, part, statement) values
  -- Sorted before the others' names are looked up: then only those of this page are. The invites, too.
  ('private.friendships', 'friends',
    $$select f.created_at, f.other_id, jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending'
      else f.status::text end,
      'requested_by_me', f.requester = $1, 'since', coalesce(f.accepted_at, f.created_at))
    from (
      select *, x.other::text as other_id
      from private.friendships y, lateral (select case when y.user_low = $1 then y.user_high else y.user_low end as other) x
      where $1 in (y.user_low, y.user_high) and (y.status <> 'declined' or y.requester = $1)
      order by y.created_at, other_id
    ) f join public.users o on o.id = f.other
    where f.status = 'accepted' or f.requester <> $1 or not o.hidden$$),
  ('private.declined_requests', 'declined_requests',
    $$select d.declined_at, o.id::text, jsonb_build_object('name', o.name, 'declined_at', d.declined_at)
    from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = $1$$);

-- dogs.sql
-- Dogs: seen with their owner, deleted softly.

create type public.dog_gender as enum ('MALE', 'FEMALE');
create type public.dog_size as enum ('SMALL', 'MEDIUM', 'LARGE');
create type public.dog_energy as enum ('LOW', 'MEDIUM', 'HIGH');

create table public.dogs (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references public.users (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 60 and name !~ '[[:cntrl:]]'),
  breed text not null check (char_length(btrim(breed)) between 1 and 80),
  gender public.dog_gender not null,
  birthday date not null check (birthday between '1980-01-01' and current_date + 1),
  birthday_by_month boolean not null default false,
  size public.dog_size,
  temperament text check (char_length(temperament) <= 500),
  energy public.dog_energy,
  possessive boolean,
  likes text check (char_length(likes) <= 500),
  dislikes text check (char_length(dislikes) <= 500),
  description text check (char_length(description) <= 2000),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  photo text,
  check (not (birthday_by_month and extract(day from birthday) <> 1))
);
comment on table public.dogs is 'Dogs; who may see the owner may see them, and so may their people (dog_people.sql).';
comment on column public.dogs.birthday_by_month is 'Only its month is known: the birthday is the first of it.';
comment on column public.dogs.likes is 'Comma separated.';
comment on column public.dogs.deleted_at is 'Set by delete_dog; such rows are invisible and go for good after 90 days.';
comment on column public.dogs.photo is 'The main photo''s path in the bucket users; follows the files there.';
alter table public.dogs enable row level security;

grant select on public.dogs to authenticated;
grant
  insert (id, owner, name, breed, gender, birthday, birthday_by_month, size, temperament, energy, possessive, likes, dislikes, description),
  update (name, breed, gender, birthday, birthday_by_month, size, temperament, energy, possessive, likes, dislikes, description)
  on public.dogs to authenticated;

create index dogs_owner on public.dogs (owner);
create index dogs_name_start on public.dogs (lower(name) text_pattern_ops) where deleted_at is null;
create index dogs_name_trgm on public.dogs using gin (lower(name) extensions.gin_trgm_ops) where deleted_at is null;

-- Triggers run before policies are asked. The limit is checked for one's own dogs only: otherwise its refusal would tell
-- others how many dogs somebody has.
create function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  -- Parallel inserts would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || new.owner, 0));
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= private.most_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.most_dogs()));
  end if;
  -- Deleted ones stay for a while: adding and deleting in turns must not fill the disk.
  if auth.uid() is not null then
    perform private.limit_rate('add_dog', 100, '1 day');
  end if;
  return new;
end
$$;
create trigger clean_row before insert or update of name, breed, temperament, likes, dislikes, description on public.dogs
  for each row execute function private.clean_row('name', 'breed', 'temperament', 'likes', 'dislikes', 'description');

create trigger limit_dogs before insert on public.dogs for each row execute function private.limit_dogs();

create function private.refuse_limited_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Also of a keeper. Without a caller it is the seed or an operator.
  if auth.uid() is not null then
    perform private.refuse_limited(auth.uid());
    perform private.refuse_unconfirmed_age(auth.uid());
  end if;
  return new;
end
$$;
comment on function private.refuse_limited_owner is
  'What is written about a dog is read by others: before the age is confirmed and while posting is paused it stays as it is.';
create trigger refuse_limited_owner before insert on public.dogs
  for each row execute function private.refuse_limited_owner();
create trigger refuse_limited_owner_of_text before update on public.dogs
  for each row when ((old.name, old.breed, old.temperament, old.likes, old.dislikes, old.description)
    is distinct from (new.name, new.breed, new.temperament, new.likes, new.dislikes, new.description))
  execute function private.refuse_limited_owner();

create function private.set_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.users u set picture = first.photo
  from unnest(array[old.owner, new.owner]) person (id) cross join lateral (select (
    select d.photo from public.dogs d
    where d.owner = person.id and d.deleted_at is null and d.photo is not null order by d.created_at, d.id limit 1) as photo) first
  where u.id = person.id and u.picture is distinct from first.photo;
  return null;
end
$$;
comment on function private.set_picture is 'A person''s picture is the main photo of their first dog that has one.';
create trigger set_picture after update of photo, deleted_at, owner or delete on public.dogs
  for each row execute function private.set_picture();

create policy "dogs are seen by whoever sees their owner" on public.dogs for select to authenticated
  using (deleted_at is null and exists (select from public.users u where u.id = owner));
create policy "users add their own dogs" on public.dogs for insert to authenticated
  with check (owner = (select auth.uid()));
create policy "users change their own dogs" on public.dogs for update to authenticated
  using (owner = (select auth.uid()) and deleted_at is null) with check (owner = (select auth.uid()));
create policy "nothing before the second factor" on public.dogs as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.delete_dog(dog_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.dogs d set deleted_at = now()
  where d.id = delete_dog.dog_id and d.owner = private.require_user() and d.deleted_at is null;
  if found then
    perform private.leave_visits(delete_dog.dog_id);
    delete from private.dog_people p where p.dog_id = delete_dog.dog_id;
    delete from private.dog_invites i where i.dog_id = delete_dog.dog_id;
  end if;
end
$$;

grant execute on function public.delete_dog(uuid) to authenticated;

insert into private.retention (name, run_order, statement) values
  ('removed dogs: 90 days', 50, $$delete from public.dogs d where d.deleted_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('public.dogs', 'dogs', $$select d.created_at, d.id::text, to_jsonb(d) - 'owner'
    from public.dogs d where d.owner = $1$$);

-- parks.sql
-- Parks and their names in each language, and when the published list of them changed.

create type public.ground as enum ('SAND', 'DIRT', 'GRASS', 'SYNTHETIC_GRASS');
create type public.park_size as enum ('small', 'medium', 'large');
create type public.park_status as enum ('pending', 'approved', 'rejected');

create function private.park_fact_kinds() returns jsonb
language sql immutable set search_path = '' as $$
  select '{
    "fenced": ["yes", "no"],
    "fence:height": {"from": 0.3, "to": 5},
    "double_gate": ["yes", "no"],
    "small_dog": ["separate", "shared", "no"],
    "drinking_water": ["yes", "no"],
    "lit": ["yes", "no"],
    "bench": ["yes", "no"],
    "bin": ["yes", "no"],
    "excrement_bags": ["yes", "no"],
    "dog_agility": ["yes", "no"],
    "parking": ["yes", "no"],
    "wheelchair": ["yes", "limited", "no"],
    "fee": ["yes", "no"],
    "dog": ["unleashed", "leashed", "no"],
    "shelter_distance": {"from": 0, "to": 9999},
    "opening_hours": 255,
    "dog:conditional": 255
  }'::jsonb
$$;
comment on function private.park_fact_kinds is
  'The keys of parks.facts: their values, else the bounds of a number, else the most characters. A test compares it with '
  'shared/park-facts.ts.';

create function private.are_park_facts(p_facts jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select p_facts = '{}' or (jsonb_typeof(p_facts) = 'object' and not exists (
    select from jsonb_each(case when jsonb_typeof(p_facts) = 'object' then p_facts else '{}' end) f
    left join jsonb_each(private.park_fact_kinds()) k on k.key = f.key
    where not coalesce(jsonb_typeof(f.value) = 'string' and case jsonb_typeof(k.value)
      when 'array' then k.value @> f.value
      when 'object' then
        case when f.value #>> '{}' ~ '^\d{1,4}(\.\d)?$'
          then (f.value #>> '{}')::numeric between (k.value ->> 'from')::numeric and (k.value ->> 'to')::numeric end
      when 'number' then char_length(f.value #>> '{}') between 1 and (k.value #>> '{}')::integer and f.value #>> '{}' !~ '[[:cntrl:]]'
    end, false)
  ))
$$;
comment on function private.are_park_facts is 'Whether these are facts as parks.facts may hold them.';

-- The check of the table runs with the rights of the caller.
grant execute on function private.park_fact_kinds(), private.are_park_facts(jsonb) to authenticated, service_role;

create table public.parks (
  id bigint generated by default as identity primary key,
  size numeric(9, 1) check (size > 0 and size <= 10000000),
  size_label public.park_size generated always as (
    case when size < 1000 then 'small'::public.park_size when size < 4000 then 'medium'::public.park_size when size >= 4000
      then 'large'::public.park_size end
  ) stored,
  materials public.ground[] not null default '{}' check (cardinality(materials) <= 4),
  shade numeric(3, 1) check (shade between 0 and 24),
  has_facilities boolean,
  lat double precision not null check (lat between -90 and 90),
  long double precision not null check (long between -180 and 180),
  status public.park_status not null default 'pending',
  primary_photo text check (char_length(primary_photo) <= 300),
  source text check (char_length(source) <= 200),
  source_ref text check (char_length(source_ref) <= 200),
  licence text check (char_length(licence) <= 200),
  source_date date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default private.day_start(),
  outline jsonb,
  facts jsonb not null default '{}',
  fact_sources jsonb not null default '{}',
  unique (source, source_ref),
  constraint parks_outline_check check (outline ->> 'type' in ('Polygon', 'MultiPolygon') and octet_length(outline::text) <= 65536),
  constraint parks_facts_check check (private.are_park_facts(facts)),
  constraint parks_fact_sources_check check (jsonb_typeof(fact_sources) = 'object' and octet_length(fact_sources::text) <= 4096)
);
comment on table public.parks is 'Dog parks. Approved ones are for everybody; its submitter sees it while it is pending.';
comment on column public.parks.size is 'Square metres; null when unknown.';
comment on column public.parks.shade is 'Hours of shade a day; null when unknown.';
comment on column public.parks.has_facilities is 'Null when unknown.';
comment on column public.parks.primary_photo is 'Object path in the bucket parks.';
comment on column public.parks.source_ref is 'The id in the source, so that an import can run again.';
comment on column public.parks.facts is
  'What is known beside the columns above, by OpenStreetMap''s keys: {"lit": "yes"}. What is missing is unknown.';
comment on column public.parks.fact_sources is
  'Who said a fact, and on which day, where it was not the park''s own source on its source_date: {"lit": ["people", "2026-11-22"]}; '
  'with the id of the town that decided it as third. By the keys of facts, and the columns size, materials, shade and has_facilities.';
comment on column public.parks.updated_at is 'The day only: the minute at which a fact is settled tells that somebody was there.';
comment on column public.parks.outline is 'The outline as a GeoJSON geometry, of an imported park whose source draws one.';
alter table public.parks enable row level security;

create table public.park_translations (
  park_id bigint not null references public.parks (id) on delete cascade,
  language public.language not null,
  name text not null check (char_length(btrim(name)) between 1 and 120 and name !~ '[[:cntrl:]]'),
  city text not null check (char_length(btrim(city)) between 1 and 120 and city !~ '[[:cntrl:]]'),
  address text not null check (char_length(address) <= 200 and address !~ '[[:cntrl:]]'),
  primary key (park_id, language)
);
comment on table public.park_translations is 'Name, city and address of a park, one row per language.';
comment on column public.park_translations.address is 'Empty where an imported park has none beyond its city.';
alter table public.park_translations enable row level security;

create table private.park_submitters (
  park_id bigint primary key references public.parks (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade
);
comment on table private.park_submitters is 'Who submitted a park; nobody else may know, so it is no column of parks.';
alter table private.park_submitters enable row level security;

create table private.park_list_changes (
  transaction xid8 primary key default pg_current_xact_id(),
  due_at timestamptz not null default now()
);
comment on column private.park_list_changes.due_at is
  'Ratings and facts change all day, and each new file is downloaded by everybody: they wait for the next change of a park, or an hour.';
comment on table private.park_list_changes is
  'The transactions that changed the content of parks-{language}.json since it was published. Each adds a row of its own, so that no long '
  'one holds up another.';
alter table private.park_list_changes enable row level security;

create table private.park_imports (
  park_id bigint primary key references public.parks (id) on delete cascade,
  said jsonb not null
);
comment on table private.park_imports is
  'What the source of an imported park said of it last, by column and language. A value of the park that differs was corrected by people, '
  'and an import leaves it as it is.';
alter table private.park_imports enable row level security;

grant select on public.parks, public.park_translations to anon, authenticated;
-- An update by a user becomes a suggestion (see contributions.sql): it may name these columns only.
grant update (size, materials, shade, has_facilities) on public.parks to authenticated;

create index parks_not_approved on public.parks (status, created_at) where status <> 'approved';
create index parks_not_approved_id on public.parks (id) where status <> 'approved';
create index parks_pending_id on public.parks ((id::text)) where status = 'pending';
create index park_submitters_user_id on private.park_submitters (user_id);
create index park_translations_name_trgm on public.park_translations using gin (lower(name) extensions.gin_trgm_ops);
create index park_translations_address_trgm on public.park_translations using gin (lower(address || ' ' || city) extensions.gin_trgm_ops);

create function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'parks' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      -- Facts come one by one, and wait like ratings.
      if exists (
        select from after a join before b using (id)
        where a.status = 'approved' and (a.facts, a.size_label, a.materials, a.shade, a.has_facilities)
          is distinct from (b.facts, b.size_label, b.materials, b.shade, b.has_facilities)
      ) then
        insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
      end if;
      return null;
    end if;
  elsif tg_op in ('INSERT', 'UPDATE') then
    if not exists (select from changed c join public.parks p on p.id = c.park_id where p.status = 'approved') then
      return null;
    end if;
  elsif tg_op = 'DELETE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into private.park_list_changes default values on conflict (transaction) do update set due_at = excluded.due_at;
  perform pg_notify('park_list', '');
  return null;
end
$$;
create trigger mark_park_list_changed after update on public.parks
  referencing old table as before new table as after
  for each statement execute function private.mark_park_list_changed();
-- A park is listed with its translations: they come and go with it.
create trigger mark_park_list_added after insert on public.park_translations
  referencing new table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_changed after update on public.park_translations
  referencing new table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_removed after delete on public.park_translations
  referencing old table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_truncated after truncate on public.park_translations
  for each statement execute function private.mark_park_list_changed();

create function private.touch_updated_day() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := private.day_start();
  return new;
end
$$;
create trigger touch_updated_day before update on public.parks
  for each row execute function private.touch_updated_day();

create function private.submitted_park_ids() returns setof bigint
language sql stable security definer set search_path = '' rows 2 as $$
  select s.park_id from private.park_submitters s where s.user_id = private.uid()
$$;

-- Without rights and a search_path of its own it becomes part of the statement that asks it: for each of hundreds of parks.
create function private.named_park(p_park_id bigint, p_language public.language) returns setof public.park_translations
language sql stable as $$
  select t.* from public.park_translations t where t.park_id = p_park_id
  order by t.language = p_language desc, t.language = 'en' desc, t.language limit 1
$$;
comment on function private.named_park is 'A park''s name and address in a language, else in English, else in any.';

create function private.park_name(p_park_id bigint, p_language public.language) returns text
language sql stable security definer set search_path = '' as $$
  select t.name from private.named_park(p_park_id, p_language) t
$$;
comment on function private.park_name is 'A park''s name in a language, else in English, else in any.';

create function private.require_park(p_park_id bigint) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from public.parks p where p.id = p_park_id and p.status = 'approved') then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
end
$$;

create function private.set_park_fact(p_park_id bigint, p_key text, p_value text, p_source text, p_day date default private.park_day())
  returns boolean
language sql volatile security definer set search_path = '' as $$
  with said as (
    update public.parks p set
      facts = case when p_value is null then p.facts - p_key else p.facts || jsonb_build_object(p_key, p_value) end,
      fact_sources = case when p_value is null then p.fact_sources - p_key else p.fact_sources || jsonb_build_object(p_key,
        jsonb_build_array(p_source, p_day)) end
    where p.id = p_park_id
    returning p.id
  ) select exists (select from said)
$$;
comment on function private.set_park_fact is
  'Sets a fact of a park, or makes it unknown where the value is null; a wrong key or value is refused by the table. Who may call it '
  'checks first. False where there is no such park.';

grant execute on function private.submitted_park_ids() to authenticated;

create policy "approved parks are for everybody" on public.parks for select to anon, authenticated
  using (status = 'approved');
create policy "submitters see their own parks" on public.parks for select to authenticated
  using (id in (select private.submitted_park_ids()));
-- An update of an approved park becomes a suggestion before it is checked (private.turn_update_into_suggestion).
create policy "submitters change their own parks while these are pending" on public.parks for update to authenticated
  using (true) with check (status = 'pending' and id in (select private.submitted_park_ids()));
create policy "translations are seen with their park" on public.park_translations for select to anon, authenticated
  using (exists (select from public.parks p where p.id = park_id));
create policy "no suggestions before the second factor" on public.parks as restrictive for update to authenticated
  using ((select private.second_factor_done()));

create function public.suggest_places(input text, p_language public.language default 'en')
returns table (label text, lat double precision, long double precision, city text, address text, is_park boolean)
language sql stable security definer set search_path = '' as $$
  -- Our own parks, cities and streets answer while somebody types, so that no public geocoder has to.
  with typed as (
    select lower(btrim(left(input, 100))) as text,
      replace(replace(replace(lower(btrim(left(input, 100))), '\', '\\'), '%', '\%'), '_', '\_') as pattern
  ), hits as (
    (select t.name || ', ' || t.city as label, t.city, t.address, t.park_id, t.language, 0 as rank
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like typed.pattern || '%' limit 100)
    union all
    (select t.name || ', ' || t.city, t.city, t.address, t.park_id, t.language, 1
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like '%' || typed.pattern || '%' limit 100)
    union all
    (select t.address || ', ' || t.city, t.city, t.address, t.park_id, t.language, 2
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and t.address <> '' and lower(t.address || ' ' || t.city) like '%' || typed.pattern || '%' limit 100)
  ), places as (
    select distinct on (h.label)
      h.label, p.lat, p.long, h.city, h.address, h.rank, h.language = p_language as in_language
    from hits h join public.parks p on p.id = h.park_id and p.status = 'approved'
    -- Where several parks share a label, its place is that of one of them, not a point between them.
    order by h.label, h.rank, h.language = p_language desc, p.id
  )
  select label, lat, long, city, address, rank < 2
  from places
  order by rank, in_language desc, label
  limit 3
$$;

grant execute on function public.suggest_places(text, public.language) to anon, authenticated;

insert into private.exports (relation, part, statement) values
  ('private.park_submitters', 'submitted_parks',
    $$select p.created_at, p.id::text, jsonb_build_object('park', private.park_name(p.id, $2), 'status', p.status, 'created_at',
      p.created_at)
    from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = $1$$);

-- favourites.sql
-- Favourite parks: everybody's own list, which friends see where its owner chose so.

create table public.favourite_parks (
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, park_id)
);
comment on table public.favourite_parks is 'Favourite parks; friends see another''s through favourites_of, where that one chose so.';
alter table public.favourite_parks enable row level security;

grant select, delete on public.favourite_parks to authenticated;
grant insert (user_id, park_id) on public.favourite_parks to authenticated;

create index on public.favourite_parks (park_id);

create policy "users see their own favourites" on public.favourite_parks for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users add their own favourites" on public.favourite_parks for insert to authenticated
  with check (user_id = (select auth.uid()) and exists (select from public.parks p where p.id = park_id));
create policy "users remove their own favourites" on public.favourite_parks for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.favourite_parks as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.favourites_of(p_user_id uuid) returns setof bigint
language sql stable security definer set search_path = '' rows 20 as $$
  select f.park_id
  from public.favourite_parks f
  join public.parks p on p.id = f.park_id and p.status = 'approved'
  where f.user_id = p_user_id and private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_favourites)
  order by f.created_at desc, f.park_id
$$;
comment on function public.favourites_of is 'The favourite parks of a friend who shows them, newest first; else none.';

grant execute on function public.favourites_of(uuid) to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.favourite_parks', 'favourite_parks',
    $$select f.created_at, f.park_id::text, jsonb_build_object('park', private.park_name(f.park_id, $2), 'since', f.created_at)
    from public.favourite_parks f where f.user_id = $1$$);

-- former_parks.sql
-- Former parks: closed for good, no dog park, or one with another. Their rows stay (rejected), so that imports know them and
-- old addresses lead somewhere.

create type public.park_claim as enum ('closed', 'notDogPark', 'double');

create table public.former_parks (
  park_id bigint primary key references public.parks (id) on delete cascade,
  reason public.park_claim not null,
  merged_into bigint references public.parks (id) on delete cascade,
  since timestamptz not null default private.day_start(),
  check ((reason = 'double') = (merged_into is not null)),
  check (merged_into <> park_id)
);
comment on table public.former_parks is 'What became of parks that were listed once.';
comment on column public.former_parks.merged_into is
  'The park that has its reviews and favourites now, where it was a double; its visits and busy hours stay, and count there.';
alter table public.former_parks enable row level security;

create table private.replaced_reviews (
  id uuid primary key,
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  title text not null,
  content text not null,
  rank smallint not null,
  anonymous boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table private.replaced_reviews is
  'Of two reviews of one person whose parks were merged, the one that is theirs no more: nobody reads it here but its author, in the '
  'export.';
comment on column private.replaced_reviews.park_id is 'The park that it was written for.';
alter table private.replaced_reviews enable row level security;

create index on public.former_parks (merged_into);
create index on private.replaced_reviews (author);
create index on private.replaced_reviews (park_id);

-- Without rights and a search path of their own these two become part of the statement that uses them.
create function private.present_park(p_park_id bigint) returns bigint
language sql stable as $$
  select coalesce((select f.merged_into from public.former_parks f where f.park_id = p_park_id), p_park_id)
$$;
comment on function private.present_park is 'The park that this one was merged with, or the park itself.';

create function private.park_parts(p_park_id bigint) returns setof bigint
language sql stable as $$
  select p_park_id union all select f.park_id from public.former_parks f where f.merged_into = p_park_id
$$;
comment on function private.park_parts is
  'A park and those that were merged with it: a visit stays at the park that it was made at, and counts here.';

create function private.merge_reviews(p_from bigint, p_into bigint) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  replaced integer;
begin
  -- The anonymous one, else the older one.
  insert into private.replaced_reviews
  select distinct on (a.author) r.id, r.author, r.park_id, r.title, r.content, r.rank, r.anonymous, r.created_at, r.updated_at
  from public.reviews a join public.reviews b on b.author = a.author and b.park_id = p_into
  join public.reviews r on r.id in (a.id, b.id)
  where a.park_id = p_from
  order by a.author, r.anonymous desc, r.updated_at, r.id;
  -- An anonymous review that vanished would name its author, who wrote of both. It stays to be seen for a while, as that of
  -- an account that is deleted does, and is not counted here either.
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select r.author, r.park_id, r.hidden_at from public.reviews r join private.replaced_reviews old on old.id = r.id and old.author = r.author
  where r.park_id in (p_from, p_into) and r.anonymous and r.hidden_at is not null
  on conflict do nothing;
  update public.reviews r set author = null, remove_at = now() + random() * interval '30 days'
  from private.replaced_reviews old where old.id = r.id and old.author = r.author and r.park_id in (p_from, p_into) and r.anonymous;
  delete from public.reviews r using private.replaced_reviews old
  where old.id = r.id and r.park_id in (p_from, p_into) and not r.anonymous;
  get diagnostics replaced = row_count;
  perform private.move_to_park('public.reviews', p_from, p_into);
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select h.author, p_into, h.hidden_at from private.hidden_reviews h where h.park_id = p_from
  on conflict do nothing;
  delete from private.hidden_reviews h where h.park_id = p_from;
  -- The trigger that counts ranks knows no review that changes its park.
  delete from private.park_ratings g where g.park_id in (p_from, p_into);
  insert into private.park_ratings (park_id, ranks, newcomer_ranks)
  select p_into, array_agg(counted.ranks order by counted.stars), array_agg(counted.newcomers order by counted.stars)
  from (
    select s.stars, count(r.id)::integer as ranks, (count(r.id) filter (where r.standing = 'newcomer_there'))::integer as newcomers
    from generate_series(1, 5) s (stars)
    left join public.reviews r on r.park_id = p_into and r.rank = s.stars and r.hidden_at is null
      and r.standing in ('newcomer_there', 'regular_there')
    group by s.stars
  ) counted;
  return replaced;
end
$$;
comment on function private.merge_reviews is
  'Moves the reviews of a park to another; where somebody reviewed both, one of them stays theirs. How many with a name went.';

create function private.close_park(p_park_id bigint, p_reason public.park_claim) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_reason is null or p_reason = 'double' then
    perform private.fail('invalid_input', 'A park that is the same as another is merged with it.');
  end if;
  update public.parks p set status = 'rejected' where p.id = p_park_id and p.status = 'approved';
  if not found then
    return false;
  end if;
  insert into public.former_parks (park_id, reason) values (p_park_id, p_reason)
  on conflict (park_id) do update set reason = excluded.reason, merged_into = null, since = excluded.since;
  return true;
end
$$;
comment on function private.close_park is
  'Takes a park off the map that is closed for good or no dog park; private.relist_park brings it back. False where it is not listed.';

create function private.merge_parks(p_from bigint, p_into bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  moved jsonb;
begin
  -- Both in one order, so that two mergers do not wait for each other.
  perform from public.parks p where p.id in (p_from, p_into) order by p.id for update;
  if p_from is not distinct from p_into or not exists (select from public.parks p where p.id = p_from)
    or not exists (select from public.parks p where p.id = p_into and p.status = 'approved') then
    perform private.fail('park_not_found', 'Name two parks, of which the second is listed.');
  end if;
  moved := jsonb_build_object(
    'reviews', (select count(*) from public.reviews r where r.park_id = p_from),
    'visits', (select count(*) from public.check_ins c where c.park_id = p_from),
    'favourites', (select count(*) from public.favourite_parks f where f.park_id = p_from),
    'replaced_reviews', private.merge_reviews(p_from, p_into));
  -- Who is there now is there at the other park. What is over stays where it was: see private.park_parts.
  perform private.move_to_park('public.check_ins', p_from, p_into, 'ended_at is null');
  -- Moved, not written anew: undone, a favourite that somebody removed meanwhile does not come back.
  perform private.move_to_park('public.favourite_parks', p_from, p_into,
    'not exists (select from public.favourite_parks o where o.park_id = $2 and o.user_id = t.user_id)');
  delete from public.favourite_parks f where f.park_id = p_from;
  -- What is reported of both is one report.
  update private.live_reports r set ended_at = least(now(), r.expires_at)
  where r.park_id = p_from and r.ended_at is null and exists (
    select from private.live_reports o
    where o.park_id = p_into and o.ended_at is null and (o.condition = r.condition or o.hazard = r.hazard));
  update private.live_reports r set park_id = p_into where r.park_id = p_from;
  delete from public.park_invites i where i.park_id = p_from and exists (
    select from public.park_invites o
    where o.park_id = p_into and o.sender_id = i.sender_id and o.receiver_id = i.receiver_id and o.meet_at = i.meet_at);
  perform private.move_to_park('public.park_invites', p_from, p_into);
  insert into private.pack_time_members (pack_time_id, user_id, joined_at)
  select o.id, g.user_id, g.joined_at from private.pack_times t join private.pack_time_members g on g.pack_time_id = t.id
  join private.pack_times o on o.park_id = p_into and o.weekday = t.weekday and o.starts = t.starts
  where t.park_id = p_from
  on conflict do nothing;
  perform private.move_to_park('private.park_notices', p_from, p_into);
  perform private.move_to_park('private.pack_times', p_from, p_into, 'not exists (
    select from private.pack_times o where o.park_id = $2 and o.weekday = t.weekday and o.starts = t.starts)');
  update public.parks p set
    size = coalesce(p.size, o.size), materials = case when p.materials = '{}' then o.materials else p.materials end,
    shade = coalesce(p.shade, o.shade), has_facilities = coalesce(p.has_facilities, o.has_facilities),
    facts = o.facts || p.facts,
    fact_sources = p.fact_sources || coalesce((
      select jsonb_object_agg(f.key, coalesce(o.fact_sources -> f.key, jsonb_build_array(o.source, o.source_date)))
      from (
        select key from jsonb_object_keys(o.facts) key where not p.facts ? key
        union all
        select taken.field from (values
          ('size', p.size is null and o.size is not null), ('materials', p.materials = '{}' and o.materials <> '{}'),
          ('shade', p.shade is null and o.shade is not null), ('has_facilities', p.has_facilities is null and o.has_facilities is not null)
        ) taken (field, is_taken) where taken.is_taken
      ) f (key)), '{}'),
    primary_photo = coalesce(p.primary_photo, o.primary_photo)
  from public.parks o where p.id = p_into and o.id = p_from;
  -- Photos keep their paths, which begin with the old park's id.
  update public.park_photos f set park_id = p_into where f.park_id = p_from;
  insert into public.park_translations (park_id, language, name, city, address)
  select p_into, t.language, t.name, t.city, t.address from public.park_translations t where t.park_id = p_from
  on conflict do nothing;
  delete from private.fact_answers a where a.park_id = p_from and exists (
    select from private.fact_answers o where o.park_id = p_into and o.fact = a.fact and o.user_id = a.user_id);
  update private.fact_answers a set park_id = p_into where a.park_id = p_from;
  -- A copy: where the merger is undone, the first park is published again without them.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select p_into, u.field, u.user_id from private.unlicensed_contributions u where u.park_id = p_from;
  delete from public.park_suggestions s where s.double_of = p_into and s.park_id = p_from and s.status = 'pending';
  update public.park_suggestions s set park_id = p_into
  where s.park_id = p_from and s.status = 'pending' and s.claim is null;
  update public.park_suggestions s set double_of = p_into where s.double_of = p_from and s.park_id <> p_into;
  delete from public.park_suggestions s where s.double_of = p_from;
  update public.parks p set status = 'rejected', primary_photo = null where p.id = p_from;
  update public.former_parks f set merged_into = p_into where f.merged_into = p_from;
  insert into public.former_parks (park_id, reason, merged_into) values (p_from, 'double', p_into)
  on conflict (park_id) do update set reason = 'double', merged_into = p_into, since = excluded.since;
  return moved;
end
$$;
comment on function private.merge_parks is
  'Makes one park of two: the second keeps its own facts and gets what it lacks, and the reviews, favourites, meetings, reports and '
  'photos of the first, whose address leads to it and whose visits count at it from then on. How many of each: {reviews, visits, '
  'favourites, replaced_reviews}.';

create function public.former_park(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reason', f.reason, 'merged_into', f.merged_into,
    -- What turned out to be no dog park may be anybody's door, and be named in any way.
    'park', case when f.reason = 'closed' then jsonb_build_object('lat', p.lat, 'long', p.long, 'names', (
      select jsonb_object_agg(t.language, t.name) from public.park_translations t where t.park_id = p.id)) end)
  from public.former_parks f join public.parks p on p.id = f.park_id
  where f.park_id = p_park_id
$$;
comment on function public.former_park is
  'What became of a park: {reason, merged_into, park}, where park is {lat, long, names} of one that closed, names by language; null for a '
  'park that was never listed, or is.';

grant execute on function public.former_park(bigint) to anon, authenticated;

insert into private.exports (relation, part, statement) values
  ('private.replaced_reviews', 'replaced_reviews',
    $$select r.created_at, r.id::text, to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, $2))
    from private.replaced_reviews r where r.author = $1$$);

-- check_ins.sql
-- Check-ins: a user is at one park at most, for a planned stay.

create type public.check_in_kind as enum ('visit', 'plan', 'taken_back');

create table public.check_ins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  dog_count smallint not null check (dog_count between 0 and private.most_dogs()),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  kind public.check_in_kind not null default 'visit',
  counted boolean not null default true,
  vouched boolean not null default false,
  asked_fact text,
  question_answered boolean not null default false,
  review_asked boolean not null default false,
  changed_at timestamptz,
  check (expires_at > started_at),
  check (ended_at >= started_at),
  check (kind = 'visit' or not counted)
);
comment on table public.check_ins is
  'Visits. Open while ended_at is null; the user counts as present only until expires_at. Seen by its user alone.';
comment on column public.check_ins.kind is
  'A plan: its user was far away, and only they see it, until they check in there. Taken back: a visit that its user undid, which is there '
  'only until everybody''s counts have followed.';
comment on column public.check_ins.counted is
  'Whether it is part of what everybody reads: the numbers of the park and its busy hours. Friends see visits that are not.';
comment on column public.check_ins.vouched is 'Whether it was by a regular whose device gave a place near the park.';
comment on column public.check_ins.asked_fact is 'The fact of the park that the visit''s one question was about; see fact_answers.sql.';
comment on column public.check_ins.changed_at is 'When a dog last left it, or it went on after a switch that was undone; null: neither.';
comment on column public.check_ins.review_asked is 'One of its user''s devices has asked for a review, so that the others do not.';
alter table public.check_ins enable row level security;

create table public.check_in_dogs (
  check_in_id uuid not null references public.check_ins (id) on delete cascade,
  dog_id uuid not null references public.dogs (id) on delete cascade,
  taken_from uuid,
  primary key (check_in_id, dog_id)
);
comment on table public.check_in_dogs is 'The dogs that came along; a later check-in with a dog takes it out of the earlier visit.';
comment on column public.check_in_dogs.taken_from is
  'The visit that it was taken out of, which gets it back where this one is undone; read by nobody, for it may be another person''s.';
alter table public.check_in_dogs enable row level security;

grant select on public.check_ins to authenticated;
grant select (check_in_id, dog_id) on public.check_in_dogs to authenticated;

create unique index check_ins_one_open on public.check_ins (user_id) where ended_at is null;
create index check_ins_present on public.check_ins (park_id, expires_at) include (dog_count, user_id, kind, counted)
  where ended_at is null;
create index check_ins_leaving on public.check_ins (expires_at) include (park_id, dog_count, started_at, changed_at, kind, counted)
  where ended_at is null;
create index check_ins_left on public.check_ins (ended_at) include (park_id, counted) where ended_at is not null;
create index check_ins_of_user on public.check_ins (user_id, started_at desc);
create index check_ins_of_park on public.check_ins (park_id);
create index check_ins_old on public.check_ins (started_at);
create index check_ins_taken_back on public.check_ins (ended_at) where kind = 'taken_back';
create index on public.check_in_dogs (dog_id);

create view private.present as
  select c.* from public.check_ins c where c.ended_at is null and c.kind = 'visit' and c.expires_at > now();
comment on view private.present is 'Who is at a park now. What everybody reads counts only those that are counted.';

create view private.planned as
  select c.* from public.check_ins c where c.ended_at is null and c.kind = 'plan' and c.expires_at > now();
comment on view private.planned is 'Who means to come: only they themselves see it, and friends are told where both want it.';

create function private.longest_stay() returns integer language sql immutable set search_path = '' as $$ select 240 $$;
comment on function private.longest_stay is 'Minutes that a visit is planned at most.';

create function private.shortest_visit() returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;
comment on function private.shortest_visit is 'Shorter visits enter no history.';

create function private.most_unnamed_dogs() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.most_unnamed_dogs is 'Dogs that count of a check-in that names none of one''s own.';

create function private.end_expired_visits(p_most integer default null) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  visit record;
  many integer := 0;
begin
  for visit in
    -- What somebody else changes right now is left for the next run, so that no caller waits.
    select c.id, c.kind from public.check_ins c where c.ended_at is null and c.expires_at < now()
    -- Counting a visit locks hours of its park, and so does a check-out: both take them in this order.
    order by c.park_id, c.started_at limit p_most for update skip locked
  loop
    if visit.kind = 'plan' then
      delete from public.check_ins c where c.id = visit.id;
    else
      update public.check_ins c set ended_at = c.expires_at where c.id = visit.id;
    end if;
    many := many + 1;
  end loop;
  return many;
end
$$;
comment on function private.end_expired_visits is
  'Ends visits that nobody ended, which counts them into busy_hours, and forgets announced ones that were not begun: how many. Asked for '
  'a few at a time, because a person who checks in or out waits for a row that is being ended.';

create function private.near_metres() returns integer language sql immutable set search_path = '' as $$ select 1000 $$;
comment on function private.near_metres is 'A check-in from further away, by more than the place may be wrong, is a plan.';

create function private.rough_metres() returns integer language sql immutable set search_path = '' as $$ select 3000 $$;
comment on function private.rough_metres is 'A place that may be wrong by more says nothing.';

create function private.is_far(p_park_id bigint, p_lat double precision, p_long double precision, p_accuracy double precision)
  returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  metres double precision;
begin
  if p_lat is null or p_long is null then
    return null;
  end if;
  -- NaN is between nothing.
  if not (p_lat between -90 and 90 and p_long between -180 and 180 and coalesce(p_accuracy, 0) between 0 and 'infinity') then
    perform private.fail('invalid_input', 'A place is a latitude, a longitude and how many metres it may be wrong.');
  end if;
  if p_accuracy > private.rough_metres() then
    return null;
  end if;
  select private.metres_between(p.lat, p.long, p_lat, p_long) into metres from public.parks p where p.id = p_park_id;
  return metres > private.near_metres() + coalesce(p_accuracy, 0);
end
$$;
comment on function private.is_far is
  'Whether a place is far from a park; null where it is not given, or too rough to tell. p_accuracy: metres by which it may be wrong.';

create policy "users see their own visits" on public.check_ins for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users see which dogs they took along" on public.check_in_dogs for select to authenticated
  using (exists (select from public.check_ins c where c.id = check_in_id));
create policy "nothing before the second factor" on public.check_ins as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing before the second factor" on public.check_in_dogs as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_key uuid default null,
  p_lat double precision default null,
  p_long double precision default null,
  p_accuracy double precision default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  -- The place is compared here, and gone with this call.
  far boolean := private.is_far(p_park_id, p_lat, p_long, p_accuracy);
  counted boolean;
  present public.check_ins;
  made public.check_ins;
  moment timestamptz;
begin
  if result is not null then
    -- The visit may have ended since.
    return result || jsonb_build_object('stay', (select to_jsonb(m) from public.my_check_in() m));
  end if;
  if dog_count not between 0 and private.most_dogs()
    or p_stay_minutes is null or p_stay_minutes not between 1 and private.longest_stay() then
    perform private.fail('invalid_input',
      format('At most %s dogs, and a stay of 1 to %s minutes.', private.most_dogs(), private.longest_stay()));
  end if;
  if cardinality(dogs) = 0 then
    dog_count := least(dog_count, private.most_unnamed_dogs());
  end if;
  -- Dogs before visits: two people who take dogs out of each other's visits wait here, and not for each other.
  perform from public.dogs d
  where d.id in (select p.dog_id from private.dog_people p)
    and (d.owner = me or d.id in (select private.kept_dog_ids()))
    and (d.id = any (dogs) or d.id in (
      select x.dog_id from public.check_in_dogs x join public.check_ins c on c.id = x.check_in_id
      where c.user_id = me and c.ended_at is null))
  order by d.id for no key update;
  -- One check-in of a user at a time: two at once would both see no open one.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- Not now(): that is when the transaction began, before it waited for the lock.
  moment := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.kind = 'plan' then
    -- A plan holds until the next check-in, wherever that is.
    delete from public.check_ins c where c.id = present.id;
    present := null;
  elsif present.expires_at > moment then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, jsonb_build_object('status', 'already_here', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at, 'counted', present.counted, 'elsewhere', null,
        'stay', (select to_jsonb(m) from public.my_check_in() m)));
    end if;
    if not coalesce(p_switch, false) then
      -- Nothing happened: the same key is used again once the user said whether to switch.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return jsonb_build_object('status', 'elsewhere', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at,
        'elsewhere', jsonb_build_object('park_id', present.park_id, 'name', private.park_name(present.park_id, private.my_language())));
    end if;
  end if;
  perform private.limit_action(me, 'check_in');
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, moment) where c.id = present.id;
  end if;
  counted := case
    when far then false
    when far is null and not private.within_limit(me, 'check_in_without_place') then false
    else private.is_regular(me) or private.newcomers_fit(p_park_id, dog_count)
  end;
  insert into public.check_ins (id, user_id, park_id, dog_count, started_at, expires_at, kind, counted, vouched)
  select coalesce((select p_key where not exists (select from public.check_ins c where c.id = p_key)), gen_random_uuid()),
    me, p.id, dog_count, moment, moment + make_interval(mins => p_stay_minutes),
    case when far then 'plan' else 'visit' end::public.check_in_kind, counted, far is false and private.is_regular(me)
  from public.parks p where p.id = p_park_id and p.status = 'approved'
  -- Locked before it is looked at: by then a park that is being merged is listed no more, and no visit stays behind.
  for key share of p
  returning * into made;
  if made.id is null then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  if cardinality(dogs) > 0 then
    insert into public.check_in_dogs (check_in_id, dog_id, taken_from)
    select made.id, d.id, (
      select c.id from public.check_in_dogs x join private.present c on c.id = x.check_in_id
      where x.dog_id = d.id and made.kind = 'visit' and c.id <> made.id limit 1)
    from public.dogs d
    where d.id = any (dogs) and d.deleted_at is null and (d.owner = me or d.id in (select private.kept_dog_ids()));
    get diagnostics dog_count = row_count;
    if dog_count <> cardinality(dogs) then
      perform private.fail('invalid_input', 'Only your own dogs come along, and those that you keep or walk.');
    end if;
    if made.kind = 'visit' then
      perform private.leave_visits(d, null, made.id) from unnest(dogs) d;
    end if;
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case made.kind when 'plan' then 'planned' else 'checked_in' end, 'check_in_id', made.id,
    'park_id', made.park_id, 'expires_at', made.expires_at, 'counted', made.counted, 'elsewhere', null,
    'stay', (select to_jsonb(m) from public.my_check_in() m)));
end
$$;
comment on function public.check_in is
  'The key is the id of the visit, so that a device can name a visit of which it has no answer yet. The status is checked_in, '
  'already_here, elsewhere (nothing happened: ask whether to switch), or planned where the place that the device gave is far from the '
  'park; see private.is_far. counted: whether the park''s numbers have it. stay: what my_check_in says from '
  'now on, null for a plan; missing where nothing happened.';

create function private.visit_named(p_visit_id uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select (k.result ->> 'check_in_id')::uuid from private.idempotency_keys k
    where k.user_id = (select private.uid()) and k.key = p_visit_id and k.operation = 'check_in'), p_visit_id)
$$;
comment on function private.visit_named is
  'The visit that the caller means: its id, or the key of a check-in that found them there already.';

create function public.extend_stay(p_visit_id uuid, p_minutes integer, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'extend_stay');
  visit public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  if p_minutes is null or p_minutes not between 1 and private.longest_stay() then
    perform private.fail('invalid_input', format('Extend by 1 to %s minutes.', private.longest_stay()));
  end if;
  update public.check_ins c
  set expires_at = greatest(c.expires_at,
    least(c.expires_at + make_interval(mins => p_minutes), c.started_at + make_interval(mins => private.longest_stay())))
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.ended_at is null and c.kind = 'visit' and c.expires_at > now()
  returning * into visit;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when visit.id is null then 'already_ended' else 'extended' end,
    'check_in_id', visit.id, 'park_id', visit.park_id, 'expires_at', visit.expires_at));
end
$$;
comment on function public.extend_stay is
  'Adds minutes to the planned stay of this visit, up to private.longest_stay in all; one that has ended stays as it is (already_ended).';

create function public.my_check_in()
returns table (check_in_id uuid, park_id bigint, park_name text, started_at timestamptz, expires_at timestamptz, dog_count integer,
  counted boolean)
language sql stable security definer set search_path = '' as $$
  select c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.started_at, c.expires_at, c.dog_count::integer, c.counted
  from private.present c where c.user_id = (select private.uid())
$$;
comment on function public.my_check_in is 'Where the caller is now: one row or none.';

create function public.check_out(p_visit_id uuid, p_key uuid default null, p_undo boolean default false) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_out');
  visit public.check_ins;
  named uuid;
begin
  if result is not null then
    return result || case when p_undo then jsonb_build_object('stay', (select to_jsonb(m) from public.my_check_in() m)) else '{}' end;
  end if;
  named := private.visit_named(p_visit_id);
  if p_undo then
    -- Dogs before visits, as in check_in.
    perform from public.dogs d where d.id in (
      select x.dog_id from public.check_in_dogs x join public.check_ins c on c.id = x.check_in_id
      where c.id = named and c.user_id = me and x.taken_from is not null)
    order by d.id for no key update;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  delete from public.check_ins c where c.id = named and c.user_id = me and c.kind = 'plan' and c.ended_at is null;
  if p_undo then
    update public.check_ins c set ended_at = clock_timestamp(), kind = 'taken_back', counted = false
    where c.id = named and c.user_id = me and c.ended_at is null and c.started_at > clock_timestamp() - private.shortest_visit()
    returning * into visit;
    if exists (select from public.check_ins c where c.id = named and c.user_id = me and c.ended_at is null) then
      perform private.fail('too_late_to_undo', 'Only a visit that has just begun can be taken back.');
    end if;
    with back as (
      insert into public.check_in_dogs (check_in_id, dog_id)
      select o.id, d.id
      from public.check_in_dogs x join public.dogs d on d.id = x.dog_id and d.deleted_at is null
      join private.present o on o.id = x.taken_from and (d.owner = o.user_id or exists (
        select from private.dog_people p where p.dog_id = d.id and p.user_id = o.user_id and (p.ends_at is null or p.ends_at > now())))
      where x.check_in_id = visit.id and not exists (
        select from public.check_in_dogs y join private.present c on c.id = y.check_in_id where y.dog_id = d.id)
      returning check_in_id
    )
    update public.check_ins c set dog_count = c.dog_count + b.dogs, changed_at = clock_timestamp()
    from (select b.check_in_id, count(*) as dogs from back b group by b.check_in_id) b where c.id = b.check_in_id;
    -- What it was a switch from goes on, but with dogs that are elsewhere with another person by now.
    update public.check_ins c set ended_at = null, review_asked = false, changed_at = clock_timestamp()
    where c.user_id = me and c.ended_at = visit.started_at and c.expires_at > clock_timestamp() and c.kind = 'visit'
      and not exists (
        select from public.check_in_dogs x join public.check_in_dogs y on y.dog_id = x.dog_id
          join public.check_ins o on o.id = y.check_in_id
        where x.check_in_id = c.id and o.id <> c.id and o.ended_at is null and o.kind = 'visit');
    return private.store_idempotent_result(p_key, jsonb_build_object('status', 'undone',
      'stay', (select to_jsonb(m) from public.my_check_in() m)));
  end if;
  update public.check_ins c set ended_at = least(c.expires_at, clock_timestamp()), review_asked = true
  where c.id = named and c.user_id = me and c.ended_at is null
  returning c.* into visit;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when visit.id is null then 'already_ended' else 'checked_out' end,
    'park_id', visit.park_id,
    'park_name', private.park_name(visit.park_id, private.my_language()),
    'started_at', visit.started_at,
    'offer_review', visit.id is not null and not exists (
      select from public.reviews r where r.author = me and r.park_id = visit.park_id)
  ));
end
$$;
comment on function public.check_out is
  'Ends this visit and no other; one that has ended stays as it is (already_ended), for a device may learn late of what another did. '
  'p_undo: as if it had not been, while it is shorter than what enters the history; a visit that it was a switch from goes on, and dogs '
  'return to the visits that they were taken out of. stay: what my_check_in says then.';

create function public.ask_for_review(p_visit_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  visit public.check_ins;
begin
  update public.check_ins c set review_asked = true
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.kind = 'visit' and not c.review_asked
    -- The clock of a device may be ahead.
    and least(c.ended_at, c.expires_at) between now() - interval '12 hours' and now() + interval '2 minutes'
  returning * into visit;
  return case when visit.id is not null then jsonb_build_object(
    'park_id', visit.park_id,
    'park_name', private.park_name(visit.park_id, private.my_language()),
    'started_at', visit.started_at,
    'ended_at', least(visit.ended_at, visit.expires_at),
    'offer_review', not exists (select from public.reviews r where r.author = me and r.park_id = visit.park_id)) end;
end
$$;
comment on function public.ask_for_review is
  'Called by a device that saw a visit end: what to ask its user, once for all their devices; null where it was asked, or is too long ago.';

grant execute on function
  public.ask_for_review(uuid),
  public.check_in(bigint, uuid[], integer, integer, boolean, uuid, double precision, double precision, double precision),
  public.my_check_in(),
  public.check_out(uuid, uuid, boolean),
  public.extend_stay(uuid, integer, uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('visits: ended when they expire', 10, $$select private.end_expired_visits()$$),
  ('visits taken back: 30 minutes', 15,
    $$delete from public.check_ins c where c.kind = 'taken_back' and c.ended_at < now() - interval '30 minutes'$$),
  ('visits: 90 days', 20, $$delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null$$);

insert into private.exports (relation, part, statement) values
  ('public.check_ins', 'check_ins',
    $$select c.started_at, c.id::text, jsonb_build_object('park', private.park_name(private.present_park(c.park_id), $2),
      'dog_count', c.dog_count,
      'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
        from public.check_in_dogs x join public.dogs d on d.id = x.dog_id
        where x.check_in_id = c.id and (d.owner = $1 or exists (
          select from private.dog_people p where p.dog_id = d.id and p.user_id = $1))),
      'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.kind = 'plan', 'counted', c.counted,
        'asked_fact', c.asked_fact,
      'question_answered', c.question_answered)
    from public.check_ins c where c.user_id = $1 and c.kind <> 'taken_back'$$),
  ('public.check_in_dogs', 'check_ins', null);

-- busy_hours.sql
-- How busy a park usually is: anonymous hourly counts that outlive the visits they are made of, and the cards that show them.

create table private.busy_hours (
  park_id bigint not null references public.parks (id) on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  dogs numeric(8, 2) not null,
  primary key (park_id, day, hour) include (dogs)
);
comment on table private.busy_hours is
  'Dogs at a park on average during one hour of one day, by the clock at the park; nothing in it leads to a person.';
alter table private.busy_hours enable row level security;

create function private.count_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  last timestamptz := coalesce(new.ended_at, old.ended_at);
  -- One that goes on is counted when it ends.
  dogs integer := case when new.ended_at is null then -new.dog_count else new.dog_count end;
begin
  if last - new.started_at < private.shortest_visit() then
    return null;
  end if;
  -- Each hour gets the share of it that the dogs were there.
  insert into private.busy_hours as b (park_id, day, hour, dogs)
  select new.park_id, slot::date, extract(hour from slot),
    dogs * extract(epoch from least(visit.until, slot + interval '1 hour') - greatest(visit.since, slot)) / 3600
  from (select private.park_time(new.started_at) as since, private.park_time(last) as until) visit,
    generate_series(date_trunc('hour', visit.since), visit.until, interval '1 hour') slot
  where visit.until > greatest(visit.since, slot) and dogs <> 0
  order by slot
  on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  return null;
end
$$;
create trigger count_visit after update of ended_at on public.check_ins
  for each row when ((old.ended_at is null) <> (new.ended_at is null) and new.counted) execute function private.count_visit();

create function private.usual_hours(p_park_ids bigint[])
returns table (park_id bigint, day_kind text, hour integer, dogs numeric, samples integer)
language sql stable as $$
  with calendar as materialized (
    -- The last eight weeks without today, each day with how many there are of both kinds from it on.
    select d.day, d.kind, 1::bigint << d.ago as as_bit,
      count(*) filter (where d.kind = 'weekday') over since as weekdays, count(*)
        filter (where d.kind = 'weekend') over since as weekend_days
    from (
      select ago, today - ago as day, case when private.is_weekend(today - ago) then 'weekend' else 'weekday' end as kind
      from (select private.park_day()) clock (today), generate_series(1, 56) ago
    ) d
    window since as (order by d.day desc)
  ), parts as materialized (
    select p.id as park_id, part from public.parks p cross join lateral private.park_parts(p.id) part
    where p.id = any (p_park_ids) and p.status = 'approved'
  ), asked as (
    -- Counted from the first day with data.
    select known.park_id as id, c.weekdays, c.weekend_days
    from (
      select s.park_id, min(begun.day) as first_day
      from parts s cross join lateral (select min(b.day) as day from private.busy_hours b where b.park_id = s.part) begun
      group by s.park_id
    ) known
    left join calendar c on c.day = greatest(known.first_day, (select min(day) from calendar))
  ), sums as (
    select s.park_id, c.kind, b.hour, sum(b.dogs) as dogs,
      -- An hour of a day that two parts have is one.
      bit_count(bit_or(c.as_bit)::bit(64))::integer as samples
    from parts s join private.busy_hours b on b.park_id = s.part join calendar c on c.day = b.day
    where b.day >= (select min(day) from calendar)
    group by s.park_id, c.kind, b.hour
  )
  select a.id, k.kind, h.hour,
    coalesce(round(s.dogs / case k.kind when 'weekday' then a.weekdays else a.weekend_days end, 2), 0), coalesce(s.samples, 0)
  from asked a
  cross join (values ('weekday'), ('weekend')) k (kind)
  cross join generate_series(0, 23) h (hour)
  left join sums s on s.park_id = a.id and s.kind = k.kind and s.hour = h.hour
$$;
comment on function private.usual_hours is
  'Dogs at each of these parks by hour on an average weekday and weekend day; samples is how many days had dogs at that hour.';

create function public.park_cards(p_park_ids bigint[]) returns json
-- To plan it anew for the parks that are asked for takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  -- Not as a slice: of an array of arrays that bounds the outer one only, and anybody may ask for a country.
  asked bigint[] := array(select id from unnest(p_park_ids) id limit 20);
begin
  -- The hours change by the day, and a photo seldom: a cache may answer who looks at the same parks.
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=60"}]', true);
  return (
    select coalesce(json_object_agg(p.id, json_build_object('photo', p.primary_photo, 'hours', usual.hours)), '{}')
    from (
      select u.park_id, json_agg(json_build_array(u.dogs, u.samples) order by u.day_kind, u.hour) as hours
      from private.usual_hours(asked) u
      group by u.park_id
    ) usual join public.parks p on p.id = usual.park_id
  );
end
$$;
comment on function public.park_cards is
  'What cards show of up to 20 parks beside the published list: {park id: {photo: its object in bucket parks or null, hours: 48 times '
  '[dogs, samples]}}, 24 hours of an average weekday, then of a weekend day; samples is how many days had dogs at that hour. The same for '
  'every caller, so shared caches may hand it out for 60 seconds.';

grant execute on function public.park_cards(bigint[]) to anon, authenticated;

insert into private.retention (name, run_order, statement) values
  ('busy hours: 180 days', 50, $$delete from private.busy_hours b where b.day < current_date - 180$$);

-- live_reports.sql
-- Live reports: the condition of a park now, or a hazard there, until it expires or is said to be over. Photos
-- of hazards, and who is told of them, are in hazards.sql.

create type public.park_condition as enum ('muddy', 'gateClosed', 'underConstruction', 'brokenFountain');
create type public.park_hazard as enum ('poison', 'glass', 'caterpillars', 'ticks', 'awns', 'looseDog', 'brokenFence', 'noWater',
  'kennelCough', 'stomachBug', 'parvovirus');
create type private.report_vote as enum ('confirm', 'over');

create table private.live_reports (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  condition public.park_condition,
  reporter uuid references public.users (id) on delete set null,
  reported_at timestamptz not null default now(),
  confirmed_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  standing public.standing not null default 'regular_there',
  hazard public.park_hazard,
  verified_at timestamptz,
  city_informed_at timestamptz,
  hidden_at timestamptz,
  in_hand_by bigint references private.towns (id),
  constraint live_reports_one_kind check (num_nonnulls(condition, hazard) = 1)
);
comment on table private.live_reports is 'Who reported is secret: everybody reads the views park_conditions and park_hazards.';
comment on column private.live_reports.reporter is
  'Null once the account is deleted: a report that vanished with it would name its reporter.';
comment on column private.live_reports.standing is 'The reporter''s, when it was made.';
comment on column private.live_reports.verified_at is
  'When somebody else who was there confirmed a hazard: from then on people are told of it. See private.confirm_report.';
comment on column private.live_reports.city_informed_at is 'When somebody said that they told the city of a hazard.';
comment on column private.live_reports.hidden_at is 'When a moderator hid a hazard that is none; it is ended, too.';
comment on column private.live_reports.in_hand_by is 'The town that does something about a hazard, or did.';
alter table private.live_reports enable row level security;

create table private.live_report_votes (
  report_id uuid not null references private.live_reports (id) on delete cascade,
  user_id uuid references public.users (id) on delete set null,
  vote private.report_vote not null,
  voted_at timestamptz not null default now(),
  standing public.standing not null default 'regular_there',
  unique (report_id, user_id)
);
comment on table private.live_report_votes is 'The latest vote of each user on a report; the reporter''s only that it is over.';
comment on column private.live_report_votes.user_id is
  'Null once the account is deleted: a vote that vanished with it would name its user.';
comment on column private.live_report_votes.standing is 'The user''s, at the vote.';
alter table private.live_report_votes enable row level security;

create unique index live_reports_one_open on private.live_reports (park_id, condition) where ended_at is null;
create unique index live_reports_one_open_hazard on private.live_reports (park_id, hazard) where ended_at is null;
create index on private.live_reports (park_id);
create index live_reports_expiring on private.live_reports (expires_at) where ended_at is null;
create index live_reports_ended on private.live_reports (ended_at) where ended_at is not null;
create index on private.live_reports (reporter);
create index on private.live_reports (in_hand_by);
create index on private.live_report_votes (user_id);

create function private.report_pause() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.report_pause is 'How long one waits before one repeats a report of one''s own that was ended.';

create function private.many_people() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.many_people is 'What so many say of a hazard, fewer do not end.';

create function private.condition_duration(p_condition public.park_condition) returns interval
language sql immutable set search_path = '' as $$
  select case p_condition
    when 'muddy' then interval '12 hours'
    when 'gateClosed' then interval '6 hours'
    when 'brokenFountain' then interval '7 days'
    when 'underConstruction' then interval '14 days'
  end
$$;
comment on function private.condition_duration is 'How long a report counts after it was made or last confirmed.';

create function private.hazard_kinds() returns table (hazard public.park_hazard, lasts interval, is_illness boolean)
language sql immutable set search_path = '' as $$
  values ('looseDog'::public.park_hazard, interval '3 hours', false),
    ('noWater', '2 days', false),
    ('poison', '3 days', false),
    ('glass', '3 days', false),
    ('brokenFence', '7 days', false),
    ('caterpillars', '14 days', false),
    ('ticks', '14 days', false),
    ('kennelCough', '14 days', true),
    ('stomachBug', '14 days', true),
    ('parvovirus', '14 days', true),
    ('awns', '30 days', false)
$$;
comment on function private.hazard_kinds is
  'One row for each kind: how long a report counts after it was made or last confirmed, and whether only who was there may make one.';

create function private.hazard_duration(p_hazard public.park_hazard) returns interval
language sql immutable set search_path = '' as $$
  select k.lasts from private.hazard_kinds() k where k.hazard = p_hazard
$$;

create function private.quarter_hour(p_moment timestamptz) returns timestamptz
language sql immutable set search_path = '' as $$
  select date_bin(interval '15 minutes', p_moment, '2000-01-01 00:00:00Z')
$$;
comment on function private.quarter_hour is 'The beginning of its quarter of an hour: the minute of a report tells who just came or left.';

create function private.report_end(p_from timestamptz, p_lasts interval, p_standing public.standing) returns timestamptz
language sql stable set search_path = '' as $$
  select private.quarter_hour(p_from + p_lasts
    * case when p_standing = 'newcomer' then private.newcomer_share() else 1 end::double precision) + interval '15 minutes'
$$;
comment on function private.report_end is
  'Until when a word of p_from counts that lasts p_lasts; that of a newcomer who has not been there for a part of the time.';

create function private.shown_confirmations(p_report_id uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select (count(*) filter (where v.standing in ('regular', 'regular_there'))
    + least(count(*) filter (where v.standing = 'newcomer_there'), private.most_newcomer_weight()))::integer
  from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
$$;
comment on function private.shown_confirmations is 'How many confirmed a report, as readers see it: many new accounts look like a few.';

create function private.is_over(p_report_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with report as (
    select r.* from private.live_reports r where r.id = p_report_id
  ), words as (
    select v.vote, v.standing, r.hazard is not null and not private.was_there_since(v.user_id, r.park_id, r.reported_at) as from_home
    from private.live_report_votes v join report r on r.id = v.report_id
    union all
    select 'confirm', r.standing, false from report r where not exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = r.reporter)
  ), weighed as (
    select w.vote, w.standing in ('regular', 'regular_there') as by_regular, w.from_home, private.weight(w.standing) as weight from words w
  ), sides as (
    select vote, count(*) as people,
      coalesce(sum(weight) filter (where by_regular), 0) as regulars,
      least(coalesce(sum(weight) filter (where not by_regular), 0), private.most_newcomer_weight()) as newcomers,
      coalesce(sum(weight) filter (where by_regular and not from_home), 0) as regulars_there,
      least(coalesce(sum(weight) filter (where not by_regular and not from_home), 0), private.most_newcomer_weight()) as newcomers_there
    from weighed group by vote
  ), two as (
    select o.people, coalesce(t.people, 0) as against, coalesce(t.regulars + t.newcomers, 0) as support,
      -- Newcomers say nothing against the word of a regular.
      o.regulars + case when coalesce(t.regulars, 0) = 0 then o.newcomers else 0 end as weight,
      o.regulars_there + case when coalesce(t.regulars, 0) = 0 then o.newcomers_there else 0 end as weight_there
    from sides o left join sides t on t.vote = 'confirm' where o.vote = 'over'
  )
  select coalesce((
    select (r.hazard is null or t.against < private.many_people() or t.people >= private.many_people())
      and (t.weight_there > least(t.support, private.most_support()) or t.weight > t.support)
    from two t cross join report r), false)
$$;
comment on function private.is_over is
  'Whether those who say that it is over weigh more than the reporter and those who confirmed it. Of a hazard, who has not been there '
  'since it was reported must outweigh all of these, and what many confirmed needs as many to end it.';

create function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  report private.live_reports;
  my_standing public.standing;
begin
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return false;
  end if;
  if report.reporter = p_me then
    -- It stays as long as it would have; only that it was over is taken back.
    delete from private.live_report_votes v where v.report_id = p_report_id and v.user_id = p_me;
    return true;
  end if;
  my_standing := private.standing_at(p_me, report.park_id);
  insert into private.live_report_votes (report_id, user_id, vote, standing) values (p_report_id, p_me, 'confirm', my_standing)
  on conflict (report_id, user_id) do update set vote = 'confirm', voted_at = now(), standing = excluded.standing;
  -- Newcomers do not keep it longer than its reporter could have.
  update private.live_reports r
  set confirmed_at = now(), expires_at = greatest(r.expires_at,
    private.report_end(case when my_standing in ('regular', 'regular_there') then now() else r.reported_at end,
      coalesce(private.condition_duration(r.condition), private.hazard_duration(r.hazard)), my_standing))
  where r.id = p_report_id and my_standing <> 'newcomer';
  -- Two who were there, of whom one is a regular who knows the park: newcomers alone verify nothing, however many they are, and
  -- neither does anybody from home.
  if report.hazard is not null and report.verified_at is null and (
    select count(*) >= 2 and bool_or(w.standing = 'regular_there')
    from (
      select report.reporter as user_id, report.standing
      union
      select v.user_id, v.standing from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
    ) w
    where private.was_there_since(w.user_id, report.park_id, report.reported_at - private.just_left())
  ) then
    update private.live_reports r set verified_at = now() where r.id = p_report_id;
    perform private.add_job('tell-of-hazard', p_report_id::text, jsonb_build_object('report_id', p_report_id),
      p_lifetime => interval '3 hours');
  end if;
  return true;
end
$$;
comment on function private.confirm_report is
  'False when the report is no longer active. The word of its own reporter changes nothing. A hazard is verified by two who were '
  'there when it was, of whom one is a regular who has been there before.';

create function private.make_report(
  p_me uuid, p_park_id bigint, p_condition public.park_condition default null, p_hazard public.park_hazard default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  my_standing public.standing := private.standing_at(p_me, p_park_id);
  report_id uuid;
begin
  perform private.require_park(p_park_id);
  perform private.limit_action(p_me, 'live_report');
  if num_nonnulls(p_condition, p_hazard) <> 1 then
    perform private.fail('invalid_input', 'Say what is the matter.');
  elsif (select k.is_illness from private.hazard_kinds() k where k.hazard = p_hazard)
    and not private.was_there_since(p_me, p_park_id, now() - private.hazard_duration(p_hazard)) then
    perform private.fail('not_been_there', 'Illnesses are reported by people who have been there.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, hazard, reporter, standing, expires_at)
  select p_park_id, p_condition, p_hazard, p_me, my_standing,
    private.report_end(now(), coalesce(private.condition_duration(p_condition), private.hazard_duration(p_hazard)), my_standing)
  where not exists (
    select from private.live_reports r
    where r.reporter = p_me and r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard)
      and ((r.ended_at < r.expires_at and r.ended_at > now() - private.report_pause())
        or r.hidden_at > now() - private.hidden_hazard_pause()))
  on conflict do nothing
  returning id into report_id;
  if report_id is null then
    select r.id into report_id from private.live_reports r
    where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null;
    if report_id is null then
      perform private.fail('too_many', 'Somebody said that what you reported is over. Try again later.');
    end if;
    perform private.confirm_report(report_id, p_me);
  end if;
  return report_id;
end
$$;
comment on function private.make_report is
  'The new report of a condition or a hazard; where there is one already, its reporter is joined: that one is confirmed.';

grant execute on function private.quarter_hour(timestamptz), private.shown_confirmations(uuid) to anon, authenticated;

create view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.quarter_hour(r.confirmed_at) as confirmed_at,
    private.shown_confirmations(r.id) as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.condition is not null and r.ended_at is null and r.expires_at > now();
comment on view public.park_conditions is 'The conditions of parks that are reported now.';
comment on column public.park_conditions.id is 'never null';
comment on column public.park_conditions.park_id is 'never null';
comment on column public.park_conditions.condition is 'never null';
comment on column public.park_conditions.reported_at is 'The quarter of an hour only, except for the reporter; never null';
comment on column public.park_conditions.confirmations is
  'How many others confirmed it who are regulars or have been there, of newcomers a few at most; never null';
comment on column public.park_conditions.expires_at is 'never null';
comment on column public.park_conditions.mine is 'Whether the caller reported it; never null';

grant select on public.park_conditions to anon, authenticated;

create function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'report_condition');
begin
  if result is null then
    result := private.store_idempotent_result(p_key, to_jsonb(private.make_report(me, p_park_id, p_condition)));
  end if;
  return result #>> '{}';
end
$$;

create function public.confirm_report(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'confirm_report');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  return private.store_idempotent_result(p_key, to_jsonb(private.confirm_report(p_report_id, me)))::boolean;
end
$$;
comment on function public.confirm_report is 'False when the report is no longer active.';

create function public.end_report(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'end_report');
  report private.live_reports;
  is_over boolean := false;
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  -- The lock makes two votes at the same moment count as two.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is not null then
    insert into private.live_report_votes (report_id, user_id, vote, standing)
    values (p_report_id, me, 'over', private.standing_at(me, report.park_id))
    on conflict (report_id, user_id) do update set vote = 'over', voted_at = now(), standing = excluded.standing;
    is_over := private.is_over(p_report_id);
    if is_over then
      update private.live_reports r set ended_at = now() where r.id = p_report_id;
    end if;
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(is_over))::boolean;
end
$$;
comment on function public.end_report is 'A vote that it is over; true when that ended the report: see private.is_over.';

grant execute on function
  public.report_condition(bigint, public.park_condition, uuid),
  public.confirm_report(uuid, uuid),
  public.end_report(uuid, uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('live reports: 90 days', 50, $$delete from private.live_reports r where r.expires_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.live_reports', 'live_reports',
    $$select l.reported_at, l.id::text, jsonb_build_object('park', private.park_name(l.park_id, $2), 'condition', l.condition,
      'hazard', l.hazard, 'reported_at', l.reported_at,
      'standing', l.standing)
    from private.live_reports l where l.reporter = $1$$),
  ('private.live_report_votes', 'live_report_votes',
    $$select x.voted_at, x.report_id::text, jsonb_build_object('park', private.park_name(l.park_id, $2), 'condition', l.condition,
      'hazard', l.hazard, 'vote', x.vote,
      'voted_at', x.voted_at, 'standing', x.standing)
    from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = $1$$);

-- reviews.sql
-- Reviews: one per user and park. The author of an anonymous one is secret.

create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  author uuid default auth.uid() references public.users (id) on delete cascade,
  title text not null default '' check (char_length(title) <= 120),
  content text not null default '' check (char_length(content) <= 4000),
  rank smallint not null check (rank between 1 and 5),
  anonymous boolean not null default false,
  hidden_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remove_at timestamptz,
  standing public.standing not null default 'regular_there',
  unique (author, park_id),
  check ((author is null) = (remove_at is not null))
);
comment on table public.reviews is 'Seen and changed by its author alone; everybody else reads the view park_reviews.';
comment on column public.reviews.author is 'Null when the account is deleted and the review was anonymous.';
comment on column public.reviews.remove_at is
  'When a review without an author is deleted: a random moment, so that it does not vanish together with an account.';
comment on column public.reviews.hidden_at is 'Set by a moderator.';
comment on column public.reviews.standing is
  'The author''s, when it was written; renewed once a day, until it is regular_there. The rank counts from a check-in at the park on.';
alter table public.reviews enable row level security;

create table private.park_ratings (
  park_id bigint primary key references public.parks (id) on delete cascade,
  ranks integer[] not null default '{0,0,0,0,0}',
  review_count integer generated always as (ranks[1] + ranks[2] + ranks[3] + ranks[4] + ranks[5]) stored,
  newcomer_ranks integer[] not null default '{0,0,0,0,0}',
  average_rank numeric(3, 2) generated always as (private.average_rank(ranks, newcomer_ranks)) stored
);
comment on table private.park_ratings is
  'How many reviews gave 1 to 5, of those that count; kept by a trigger, so that a list of parks need not count reviews.';
comment on column private.park_ratings.newcomer_ranks is 'Those among them that newcomers wrote.';
alter table private.park_ratings enable row level security;

create table private.hidden_reviews (
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  hidden_at timestamptz not null,
  primary key (author, park_id)
);
comment on table private.hidden_reviews is
  'Reviews that were deleted while a moderator had them hidden: the next one of the same author and park starts hidden.';
alter table private.hidden_reviews enable row level security;

grant select, delete on public.reviews to authenticated;
grant insert (park_id, author, title, content, rank, anonymous), update (title, content, rank,
  anonymous) on public.reviews to authenticated;

create index reviews_of_park on public.reviews (park_id, id);
create index reviews_to_remove on public.reviews (remove_at) where remove_at is not null;
create index on private.hidden_reviews (park_id);

create trigger clean_row before insert or update of title, content on public.reviews
  for each row execute function private.clean_row('title', 'content');

create function private.check_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Without a caller it is the seed or an operator who writes: they are trusted.
  if auth.uid() is not null then
    perform private.require_consent();
    -- save_review inserts over what is there: the insert has been counted, the update that it becomes is not another one.
    if tg_op = 'INSERT' or current_setting('packpark.review', true) is distinct from pg_current_xact_id()::text then
      perform private.limit_action(new.author, 'review');
    end if;
    if tg_op = 'INSERT' then
      perform private.require_park(new.park_id);
      perform set_config('packpark.review', pg_current_xact_id()::text, true);
      new.standing := private.standing_at(new.author, new.park_id);
    end if;
  end if;
  return new;
end
$$;
create trigger check_review before insert or update of title, content, rank, anonymous on public.reviews
  for each row execute function private.check_review();

create function private.add_rank(p_ranks integer[], p_rank smallint, p_by integer) returns integer[]
language sql immutable set search_path = '' as $$
  select array(select n + case when i = p_rank then p_by else 0 end from unnest(p_ranks) with ordinality u (n, i) order by i)
$$;
comment on function private.add_rank is 'Counts p_by more of a rank; without a rank, nothing.';

create function private.count_review() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_park bigint := case when tg_op = 'DELETE' then old.park_id else new.park_id end;
  before_rank smallint := case when tg_op <> 'INSERT' and old.hidden_at is null and old.standing in ('newcomer_there', 'regular_there')
    then old.rank end;
  after_rank smallint := case when tg_op <> 'DELETE' and new.hidden_at is null and new.standing in ('newcomer_there', 'regular_there')
    then new.rank end;
  before_newcomer smallint := case when tg_op <> 'INSERT' and old.standing = 'newcomer_there' then before_rank end;
  after_newcomer smallint := case when tg_op <> 'DELETE' and new.standing = 'newcomer_there' then after_rank end;
begin
  if (before_rank, before_newcomer) is distinct from (after_rank, after_newcomer) then
    -- Where a deleted park takes its reviews along, there is no row to count in.
    insert into private.park_ratings (park_id) select p.id from public.parks p where p.id = of_park on conflict do nothing;
    update private.park_ratings r set
      ranks = private.add_rank(private.add_rank(r.ranks, before_rank, -1), after_rank, 1),
      newcomer_ranks = private.add_rank(private.add_rank(r.newcomer_ranks, before_newcomer, -1), after_newcomer, 1)
    where r.park_id = of_park;
    insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger count_review after insert or delete or update of rank, hidden_at, standing on public.reviews
  for each row execute function private.count_review();

-- A review that a moderator hid stays hidden when its author deletes it and writes another.
create function private.record_hidden_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- When its author or its park is deleted, nobody can write another.
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select u.id, p.id, old.hidden_at from public.users u, public.parks p
  where u.id = old.author and p.id = old.park_id
  on conflict do nothing;
  return null;
end
$$;
create trigger record_hidden_review after delete on public.reviews
  for each row when (old.hidden_at is not null) execute function private.record_hidden_review();

create function private.hide_resubmitted_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.hidden_at := coalesce(new.hidden_at, (
    select h.hidden_at from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id));
  return new;
end
$$;
create trigger hide_resubmitted_review before insert on public.reviews for each row execute function private.hide_resubmitted_review();

create function private.clear_hidden_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id;
  return null;
end
$$;
create trigger clear_hidden_review after update of hidden_at on public.reviews
  for each row when (new.hidden_at is null and old.hidden_at is not null) execute function private.clear_hidden_review();

create trigger touch_updated_at before update of title, content, rank, anonymous on public.reviews
  for each row execute function private.touch_updated_at();

-- Readers who saw a review with its author's name would recognise it by its id and dates after it became anonymous.
create function private.renew_anonymous_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.id := gen_random_uuid();
  new.created_at := now();
  return new;
end
$$;
create trigger renew_anonymous_review before update of anonymous on public.reviews
  for each row when (new.anonymous and not old.anonymous) execute function private.renew_anonymous_review();

-- A review that vanished together with an account would name its author.
create function private.detach_anonymous_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews r set author = null, remove_at = now() + random() * interval '30 days'
  where r.author = old.id and r.anonymous;
  return old;
end
$$;
create trigger detach_anonymous_reviews before delete on public.users
  for each row execute function private.detach_anonymous_reviews();

-- All at one moment of the day: an average that moved when somebody checked in would name the author of a review.
create function private.renew_review_standings() returns void
language sql volatile security definer set search_path = '' as $$
  update public.reviews r
  set standing = case when private.is_regular(r.author) then 'regular_there'::public.standing else 'newcomer_there' end
  where r.author is not null
    and case r.standing
      when 'regular_there' then false
      when 'newcomer_there' then private.is_regular(r.author)
      else private.has_been_at(r.author, r.park_id)
    end
$$;
comment on function private.renew_review_standings is
  'Lets the ratings of those count who checked in at the park since, and those of regulars fully. Never less than before.';

create policy "authors see their own reviews" on public.reviews for select to authenticated
  using (author = (select auth.uid()));
create policy "authors write their own reviews" on public.reviews for insert to authenticated
  with check (author = (select auth.uid()));
create policy "authors edit their own reviews" on public.reviews for update to authenticated
  using (author = (select auth.uid())) with check (author = (select auth.uid()));
create policy "authors delete their own reviews" on public.reviews for delete to authenticated
  using (author = (select auth.uid()));
create policy "nothing before the second factor" on public.reviews as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

-- In the order of their random ids: unordered rows come in the order in which they were written, and the place of an
-- anonymous review between two others with a time would tell its time.
create view public.park_reviews with (security_barrier) as
  -- Asked once: not again for each of the columns that depend on it.
  with me as materialized (
    select private.uid() as id, array(select private.blocked_ids()) as blocked, array(select private.listed_block_ids()) as listed
  )
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The day only: a minute tells who just left the park.
    case when shown.mine then r.created_at else private.day_start(r.created_at) end as created_at,
    case when shown.mine then r.updated_at else private.day_start(r.updated_at) end as updated_at,
    case when shown.author and me.id is not null then u.picture end as author_picture
  from me cross join public.reviews r
  join public.parks p on p.id = r.park_id and (p.status = 'approved' or exists (
    select from public.former_parks f where f.park_id = p.id and f.reason = 'closed'))
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = me.id, false) as mine,
      not r.anonymous and (
        u.id is not distinct from me.id
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id <> all (me.blocked)
          -- A person who is blocked and logs out must not read the name either, and anonymous callers are all alike.
          and (me.id is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
    -- Worked out once for each review.
    offset 0
  ) shown
  where r.hidden_at is null
    -- Reviews without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id <> all (me.listed))
  order by r.id;
comment on view public.park_reviews is
  'Reviews as readers see them: anonymous ones have no author, and neither have those of hidden users for callers who do not know them, '
  'and of users who blocked the caller, or anybody where the caller is anonymous.';
comment on column public.park_reviews.id is 'never null';
comment on column public.park_reviews.park_id is 'never null';
comment on column public.park_reviews.title is 'never null';
comment on column public.park_reviews.content is 'never null';
comment on column public.park_reviews.rank is 'never null';
comment on column public.park_reviews.anonymous is 'never null';
comment on column public.park_reviews.mine is 'never null';
comment on column public.park_reviews.created_at is 'The day only, except for the author; never null';
comment on column public.park_reviews.author_picture is 'Null where the caller is anonymous.';
comment on column public.park_reviews.updated_at is 'The day only, except for the author; never null';

grant select on public.park_reviews to anon, authenticated;

create function public.save_review(
  p_park_id bigint, p_title text, p_content text, p_rank integer, p_anonymous boolean default false, p_key uuid default null,
  p_based_on timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'save_review');
  review_id uuid := result #>> '{}';
begin
  if result is null then
    if p_rank is null or p_rank not between 1 and 5 or char_length(p_title) > 120 or char_length(p_content) > 4000 then
      perform private.fail('invalid_input', 'A rank of 1 to 5, at most 120 characters of title and 4000 of text.');
    end if;
    insert into public.reviews as r (park_id, author, title, content, rank, anonymous)
    values (p_park_id, me, btrim(coalesce(p_title, '')), btrim(coalesce(p_content, '')), p_rank, coalesce(p_anonymous, false))
    on conflict (author, park_id) do update
      set title = excluded.title, content = excluded.content, rank = excluded.rank, anonymous = excluded.anonymous
      -- One that a moderator hid is not shown, so its author cannot have seen how new it is.
      where p_based_on is null or r.updated_at <= p_based_on or r.hidden_at is not null
    returning id into review_id;
    if review_id is null then
      perform private.fail('review_changed', 'There is a newer review than the one that this one was written over.');
    end if;
    perform private.store_idempotent_result(p_key, to_jsonb(review_id));
  end if;
  -- Read anew by its id: a stored copy of the words would outlive the review.
  return (select to_jsonb(r) from public.park_reviews r where r.id = review_id);
end
$$;
comment on function public.save_review is
  'Answers the row of park_reviews as its author reads it; null where a moderator hid it. p_based_on is the updated_at of the review that '
  'the author saw, 1970 where there was none: a newer one stays, and review_changed is raised, so that a review that was queued on a '
  'device does not overwrite a newer one. Null overwrites whatever is there.';

create function public.delete_review(p_review_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.reviews r where r.id = p_review_id and r.author = private.require_user()
$$;

create function public.my_reviews()
returns table (id uuid, park_id bigint, park_name text, title text, content text, rank integer, anonymous boolean,
  created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.park_id, private.park_name(r.park_id, private.my_language()), r.title, r.content, r.rank::integer, r.anonymous,
    r.created_at, r.updated_at
  from public.reviews r where r.author = private.uid()
  order by r.created_at desc
$$;

create function public.user_reviews(p_user_id uuid)
returns table (id uuid, park_id bigint, park_name text, title text, content text, rank integer, created_at timestamptz,
  updated_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.park_id, private.park_name(r.park_id, private.my_language()), r.title, r.content, r.rank::integer,
    private.day_start(r.created_at), private.day_start(r.updated_at)
  from public.reviews r join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.author = p_user_id and not r.anonymous and r.hidden_at is null and private.may_see(p_user_id)
  order by 7 desc, r.id
$$;
comment on function public.user_reviews is 'A user''s reviews that carry the name, for callers who may see the user; with their days only.';

grant execute on function
  public.delete_review(uuid),
  public.my_reviews(),
  public.user_reviews(uuid),
  public.save_review(bigint, text, text, integer, boolean, uuid, timestamptz)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('standings of reviews: renewed daily', 30, $$select private.renew_review_standings()$$),
  ('reviews of deleted accounts: at a random moment within 30 days', 50, $$delete from public.reviews r where r.remove_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('public.reviews', 'reviews',
    $$select r.created_at, r.id::text, to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, $2))
    from public.reviews r where r.author = $1$$),
  ('private.hidden_reviews', 'hidden_reviews',
    $$select h.hidden_at, h.park_id::text, jsonb_build_object('park', private.park_name(h.park_id, $2), 'hidden_at', h.hidden_at)
    from private.hidden_reviews h where h.author = $1$$);

insert into private.exports (relation, left_out) values
  ('private.park_ratings', 'counts of all reviews');

-- park_photos.sql
-- Photos of parks: who gave them, which ones wait, and which one stands for the park.

create table public.park_photos (
  path text primary key check (char_length(path) <= 300),
  park_id bigint not null references public.parks (id) on delete cascade,
  status public.park_status not null default 'pending',
  created_at timestamptz not null default private.day_start(),
  of_hazard boolean not null default false
);
comment on table public.park_photos is
  'The photos {parkId}/other/… of parks: pending ones in the bucket pending-photos, approved ones in parks; a trigger on storage.objects '
  'writes it.';
comment on column public.park_photos.created_at is 'The day only: a minute tells who was there.';
comment on column public.park_photos.of_hazard is 'It shows a hazard (private.hazard_photos), and is none of the gallery.';
alter table public.park_photos enable row level security;

create table private.photo_uploaders (
  path text primary key references public.park_photos (path) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade
);
comment on table private.photo_uploaders is 'Who uploaded a photo of a park; nobody else may know, so it is no column of park_photos.';
alter table private.photo_uploaders enable row level security;

create table private.waiting_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  since timestamptz not null
);
comment on table private.waiting_photos is
  'The pending photos of parks with the moment from which the clock of the desk runs: whoever may read park_photos reads the day only. '
  'Once decided the moment is forgotten.';
alter table private.waiting_photos enable row level security;

grant select on public.park_photos to anon, authenticated;

create index on public.park_photos (park_id);
create index on private.waiting_photos (since);
create index on private.photo_uploaders (user_id);

-- Supabase's storage, and an upload by a signed link, write the row with the service's rights: there only its owner_id
-- says who uploaded. On the one-machine host the token says so, too.
create function private.sync_park_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_park bigint;
  uploader uuid;
begin
  if tg_op = 'UPDATE' and new.name = old.name and old.bucket_id in ('parks', 'pending-photos') and new.bucket_id in ('parks',
    'pending-photos') then
    -- A moderator approves a photo by moving its file to where everybody may read it.
    if new.bucket_id = 'parks' then
      update public.park_photos f set status = 'approved' where f.path = new.name;
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' and old.bucket_id in ('parks', 'pending-photos') then
    update public.parks p set primary_photo = private.first_photo(p.id) where p.primary_photo = old.name and p.id in (
      select f.park_id from public.park_photos f where f.path = old.name
      union select (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint);
    delete from public.park_photos f where f.path = old.name;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id in ('parks', 'pending-photos') then
    of_park := (regexp_match(new.name, '^(\d{1,18})/(?:primary|other)/[^/]+$'))[1]::bigint;
    uploader := coalesce(auth.uid(), case when new.owner_id ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then new.owner_id::uuid end);
    if not exists (select from public.parks p where p.id = of_park) then
      return null;
    end if;
    if new.name like '%/primary/%' then
      update public.parks p set primary_photo = new.name where p.id = of_park and new.bucket_id = 'parks';
    else
      insert into public.park_photos (path, park_id, status)
      values (new.name, of_park, case when uploader is null and new.bucket_id = 'parks' then 'approved'::public.park_status
        else 'pending' end)
      on conflict do nothing;
      if uploader is not null then
        perform private.limit_subject(uploader, 'park_photo', 30, '1 day');
        insert into private.photo_uploaders (path, user_id)
        select new.name, u.id from public.users u where u.id = uploader
        on conflict do nothing;
      end if;
    end if;
  end if;
  return null;
end
$$;
comment on function private.sync_park_photos is
  'Keeps primary_photo and park_photos equal to the files in the buckets parks and pending-photos; moving a file to parks approves it.';
create trigger sync_park_photos after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.sync_park_photos();

create function private.queue_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'pending' then
    -- Without a file there is nothing to decide; with the file the row of park_photos goes, and this one.
    insert into private.waiting_photos (path, since)
    select new.path, min(o.created_at) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = new.path
    having count(*) > 0
    on conflict do nothing;
  else
    delete from private.waiting_photos w where w.path = new.path;
  end if;
  return null;
end
$$;
create trigger queue_photo after insert or update of status on public.park_photos
  for each row execute function private.queue_photo();

create function private.first_photo(p_park_id bigint) returns text
language sql stable security definer set search_path = '' as $$
  select f.path from public.park_photos f
  where f.park_id = p_park_id and f.status = 'approved' and not f.of_hazard
    and exists (select from storage.objects o where o.bucket_id = 'parks' and o.name = f.path)
  order by f.created_at, f.path limit 1
$$;
comment on function private.first_photo is 'The first approved photo of a park whose file is there, or null.';

create function private.set_first_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.parks p set primary_photo = private.first_photo(p.id)
  where p.id = case when tg_op = 'DELETE' then old.park_id else new.park_id end
    and (p.primary_photo is null or (tg_op = 'UPDATE' and p.primary_photo = new.path and new.status <> 'approved'));
  return null;
end
$$;
comment on function private.set_first_photo is
  'A park without a primary photo, or whose primary photo was withdrawn, shows the first one that was approved.';
create trigger set_first_photo after insert or delete or update of status, park_id on public.park_photos
  for each row execute function private.set_first_photo();

create function private.uploaded_photo_paths() returns setof text
language sql stable security definer set search_path = '' rows 5 as $$
  select u.path from private.photo_uploaders u where u.user_id = private.uid()
$$;

grant execute on function private.uploaded_photo_paths() to authenticated;

create policy "approved photos are seen with their park" on public.park_photos for select to anon, authenticated
  using (status = 'approved' and exists (select from public.parks p where p.id = park_id));
create policy "users see the photos they uploaded" on public.park_photos for select to authenticated
  using (path in (select private.uploaded_photo_paths()));

insert into private.exports (relation, part, statement) values ('private.photo_uploaders', 'files', null);

-- contributions.sql
-- What users add to parks and correct about them: new parks, names, places and details. Nothing shows to others
-- before a moderator approved it.

create function private.fact_columns() returns text[]
language sql immutable set search_path = '' as $$
  select '{size,materials,shade,has_facilities}'::text[]
$$;
comment on function private.fact_columns is 'The facts of a park that have columns of their own.';

create function private.are_fact_changes(p_facts jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select private.are_park_facts(jsonb_strip_nulls(p_facts)) and not exists (
    select from jsonb_each(case when jsonb_typeof(p_facts) = 'object' then p_facts else '{}' end) f
    where f.value = 'null' and not (private.park_fact_kinds() ? f.key or f.key = any (private.fact_columns())))
$$;
comment on function private.are_fact_changes is
  'Whether these are facts as parks.facts may hold them, or null for what is unknown after all, also of private.fact_columns.';

create table public.park_suggestions (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  size numeric(9, 1) check (size > 0 and size <= 10000000),
  materials public.ground[] check (cardinality(materials) between 1 and 4),
  shade numeric(3, 1) check (shade between 0 and 24),
  has_facilities boolean,
  status public.park_status not null default 'pending',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  words jsonb,
  lat double precision,
  long double precision,
  claim public.park_claim,
  double_of bigint references public.parks (id) on delete cascade,
  before jsonb not null default '{}',
  facts jsonb,
  constraint park_suggestions_not_empty check (num_nonnulls(size, materials, shade, has_facilities, words, lat, claim, facts) > 0),
  constraint park_suggestions_facts check (private.are_fact_changes(facts)),
  constraint park_suggestions_place check (num_nonnulls(lat, long) <> 1 and lat between -90 and 90 and long between -180 and 180),
  constraint park_suggestions_double check ((claim is not distinct from 'double') = (double_of is not null) and double_of <> park_id)
);
comment on table public.park_suggestions is 'What users suggest about a park; null leaves a detail as it is. Seen by its author.';
comment on column public.park_suggestions.words is 'By language: name, city and address, those that are to change.';
comment on column public.park_suggestions.facts is
  'Those that are to change, as in parks.facts; null for what is unknown after all, also of size, materials, shade and has_facilities.';
comment on column public.park_suggestions.claim is 'That the park is closed for good, is no dog park, or is the same as double_of.';
comment on column public.park_suggestions.before is
  'What the park said of the same fields when this was suggested; see private.park_fields.';
alter table public.park_suggestions enable row level security;

create table private.unlicensed_contributions (
  park_id bigint not null references public.parks (id) on delete cascade,
  field text not null,
  user_id uuid references public.users (id) on delete set null
);
comment on table private.unlicensed_contributions is
  'Fields of parks, or the whole park (field ''park''), whose giver has not agreed to the ODbL: whatever is published as open data leaves '
  'them out.';
comment on column private.unlicensed_contributions.user_id is 'Null once the account is deleted: then it can no longer be agreed to.';
alter table private.unlicensed_contributions enable row level security;

grant select on public.park_suggestions to authenticated;

create index on public.park_suggestions (park_id);
create index on public.park_suggestions (user_id);
create index on public.park_suggestions (double_of);
create index park_suggestions_pending on public.park_suggestions (created_at) where status = 'pending';
create index park_suggestions_pending_doubles on public.park_suggestions (created_at) where status = 'pending' and claim = 'double';
create index park_suggestions_pending_id on public.park_suggestions ((id::text)) where status = 'pending';
create index on private.unlicensed_contributions (park_id);
create index on private.unlicensed_contributions (user_id);

create function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  suggestion public.park_suggestions;
begin
  if (new.size, new.materials, new.shade, new.has_facilities) is distinct from (old.size, old.materials, old.shade, old.has_facilities) then
    suggestion.park_id := old.id;
    suggestion.size := nullif(new.size, old.size);
    suggestion.materials := nullif(new.materials, old.materials);
    suggestion.shade := nullif(new.shade, old.shade);
    suggestion.has_facilities := nullif(new.has_facilities, old.has_facilities);
    perform private.add_suggestion(suggestion);
  end if;
  return null;
end
$$;
comment on function private.turn_update_into_suggestion is
  'Instead of a user''s update of an approved park, which the policy would refuse, a pending suggestion is written.';
-- A moderator's decision runs with the rights of its function.
create trigger turn_update_into_suggestion before update of size, materials, shade, has_facilities on public.parks
  for each row when (current_user = 'authenticated' and old.status = 'approved') execute function private.turn_update_into_suggestion();

create function private.clean_park_words(p_words jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  most constant jsonb := '{"name": 120, "city": 120, "address": 200}';
  cleaned jsonb := '{}';
  given record;
  word record;
  text text;
begin
  if p_words is null then
    return null;
  end if;
  for given in select * from jsonb_each(case jsonb_typeof(p_words) when 'object' then p_words else '{"": 0}' end) loop
    if given.key <> all (enum_range(null::public.language)::text[]) or jsonb_typeof(given.value) <> 'object' then
      perform private.fail('invalid_input', 'Words are name, city and address, by language.');
    end if;
    for word in select * from jsonb_each(given.value) loop
      text := private.clean_name(word.value #>> '{}');
      if most -> word.key is null or jsonb_typeof(word.value) <> 'string' or char_length(text) > (most ->> word.key)::integer
        or (text = '' and word.key <> 'address') then
        perform private.fail('invalid_input', 'Words are name, city and address, by language.');
      end if;
      cleaned := jsonb_set(cleaned, array[given.key], coalesce(cleaned -> given.key, '{}') || jsonb_build_object(word.key, text));
    end loop;
  end loop;
  return nullif(cleaned, '{}');
end
$$;
comment on function private.clean_park_words is
  'Name, city and address by language, cleaned; null where nothing is in it. Refuses whatever else there is.';

create function private.park_fields(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('size', p.size, 'materials', to_jsonb(p.materials), 'shade', p.shade, 'has_facilities', p.has_facilities,
    'place', jsonb_build_object('lat', p.lat, 'long', p.long)) || coalesce((
      select jsonb_object_agg(word.name || '.' || t.language, word.text)
      from public.park_translations t cross join lateral (values ('name', t.name), ('city', t.city), ('address', t.address)) word (name,
        text)
      where t.park_id = p.id), '{}')
    || coalesce((select jsonb_object_agg('fact.' || f.key, f.value) from jsonb_each(p.facts) f), '{}')
  from public.parks p where p.id = p_park_id
$$;
comment on function private.park_fields is
  'What a park says, by the field of a suggestion: size, materials, shade, has_facilities, place {lat, long}, name.he, city.he, '
  'address.he, fact.lit.';

create function private.suggested_fields(p_suggestion public.park_suggestions) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('size', s.size, 'materials', to_jsonb(s.materials), 'shade', s.shade, 'has_facilities',
    s.has_facilities,
    'place', case when s.lat is not null then jsonb_build_object('lat', s.lat, 'long', s.long) end, 'claim', s.claim, 'double_of',
      s.double_of)) || coalesce((
      select jsonb_object_agg(word.key || '.' || given.key, word.value)
      from jsonb_each(s.words) given cross join lateral jsonb_each(given.value) word), '{}')
    || coalesce((
      select jsonb_object_agg(case when f.key = any (private.fact_columns()) then f.key else 'fact.' || f.key end, f.value)
      from jsonb_each(s.facts) f), '{}')
  from (select (p_suggestion).*) s
$$;
comment on function private.suggested_fields is
  'What a suggestion would change, by the same fields as private.park_fields, and claim and double_of; null for what nobody knows after '
  'all.';

create function private.add_suggestion(p_suggestion public.park_suggestions) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_contributor();
  suggestion public.park_suggestions := p_suggestion;
  fields jsonb;
  town private.towns := private.my_town_of(suggestion.park_id);
  decision uuid;
begin
  perform private.require_park(suggestion.park_id);
  if suggestion.double_of is not null then
    perform private.require_park(suggestion.double_of);
  end if;
  perform private.limit_action(me, 'suggest');
  suggestion.materials := nullif(suggestion.materials, '{}');
  suggestion.words := private.clean_park_words(suggestion.words);
  suggestion.facts := nullif(suggestion.facts, '{}');
  if not private.are_fact_changes(suggestion.facts) then
    perform private.fail('invalid_input', 'These are no facts of a park.');
  end if;
  fields := private.suggested_fields(suggestion);
  if fields = '{}' then
    perform private.fail('invalid_input', 'Suggest at least one thing.');
  end if;
  if town.id is null then
    perform private.refuse_facts_of_town(suggestion);
  elsif suggestion.claim is null then
    -- The facts of its parks are decided by the town itself.
    perform private.enter_desk(p_alone => false);
    decision := private.begin_decision('town_fact', suggestion.park_id::text, suggestion.park_id, null, 'set', null, me);
  end if;
  insert into public.park_suggestions (park_id, user_id, size, materials, shade, has_facilities, words, lat, long, claim, double_of,
    facts, before)
  select suggestion.park_id, me, suggestion.size, suggestion.materials, suggestion.shade, suggestion.has_facilities, suggestion.words,
    suggestion.lat, suggestion.long, suggestion.claim, suggestion.double_of, suggestion.facts,
    coalesce((select jsonb_object_agg(now.key, now.value) from jsonb_each(private.park_fields(suggestion.park_id)) now
      where fields ? now.key), '{}')
  returning id into suggestion.id;
  if decision is not null then
    perform private.decide_suggestion(suggestion.id, true, town);
    perform private.end_decision(decision);
  end if;
  return suggestion.id;
end
$$;
comment on function private.add_suggestion is
  'Checks and stores what the caller suggests about a park, and carries it out where they speak for its town; the id of the suggestion.';

create policy "users see their own suggestions" on public.park_suggestions for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.park_suggestions as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.submit_park(
  p_name text, p_city text, p_address text, p_lat double precision, p_long double precision,
  p_language public.language default 'en', p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_contributor();
  result jsonb := private.claim_idempotency_key(p_key, 'submit_park');
  name text := private.clean_name(p_name);
  city text := private.clean_name(p_city);
  address text := private.clean_name(p_address);
  new_id bigint;
begin
  if result is not null then
    return result::bigint;
  end if;
  if coalesce(city, '') = '' or coalesce(address, '') = '' or p_lat is null or p_long is null then
    perform private.fail('invalid_input', 'A park needs a city, an address and a location.');
  end if;
  perform private.limit_rate('submit_park', 10, '1 day');
  insert into public.parks (size, materials, shade, has_facilities, lat, long, source)
  values (p_size, coalesce(p_materials, '{}'), p_shade, p_has_facilities, p_lat, p_long, 'user')
  returning id into new_id;
  insert into public.park_translations (park_id, language, name, city, address)
  values (new_id, p_language, coalesce(nullif(name, ''), left(address, 120)), city, address);
  insert into private.park_submitters (park_id, user_id) values (new_id, me);
  return private.store_idempotent_result(p_key, to_jsonb(new_id))::bigint;
end
$$;

create function public.suggest_park_details(
  p_park_id bigint, p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null,
  p_words jsonb default null, p_lat double precision default null, p_long double precision default null,
  p_claim public.park_claim default null, p_double_of bigint default null, p_facts jsonb default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  result jsonb;
  suggestion public.park_suggestions;
begin
  perform private.require_contributor();
  result := private.claim_idempotency_key(p_key, 'suggest_park_details');
  if result is null then
    suggestion.park_id := p_park_id;
    suggestion.size := p_size;
    suggestion.materials := p_materials;
    suggestion.shade := p_shade;
    suggestion.has_facilities := p_has_facilities;
    suggestion.words := p_words;
    suggestion.lat := p_lat;
    suggestion.long := p_long;
    suggestion.claim := p_claim;
    suggestion.double_of := p_double_of;
    suggestion.facts := p_facts;
    result := private.store_idempotent_result(p_key, to_jsonb(private.add_suggestion(suggestion)));
  end if;
  return result #>> '{}';
end
$$;
comment on function public.suggest_park_details is
  'Suggests what is missing or wrong: details, p_facts (as in parks.facts; null for what is unknown after all, also of size, materials, '
  'shade and has_facilities), p_words ({language: {name, city, address}}), the place, or that the park is closed for good, no dog park, '
  'or the same as p_double_of.';

grant execute on function
  public.submit_park(text, text, text, double precision, double precision, public.language, numeric, public.ground[], numeric, boolean,
    uuid),
  public.suggest_park_details(bigint, numeric, public.ground[], numeric, boolean, uuid, jsonb, double precision, double precision,
    public.park_claim, bigint, jsonb)
to authenticated;

create function public.my_contributions() returns table (
  kind text, id text, park_id bigint, park_name text, status public.park_status, created_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  select c.kind, c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.status, c.created_at
  from (
    select 'park' as kind, p.id::text, p.id as park_id, p.status, p.created_at
    from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = private.uid()
    union all
    select 'suggestion', g.id::text, g.park_id, g.status, g.created_at
    from public.park_suggestions g where g.user_id = private.uid()
    union all
    select 'photo', f.path, f.park_id, f.status, f.created_at
    from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = private.uid()
  ) c
  order by c.status = 'pending' desc, c.created_at desc, c.id
  limit 100
$$;
comment on function public.my_contributions is
  'The parks, suggestions and photos that the caller added, with what moderators decided; what waits first, then newest first, at most '
  '100.';

grant execute on function public.my_contributions() to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.park_suggestions', 'suggestions', $$select s.created_at, s.id::text, to_jsonb(s) - 'user_id'
    from public.park_suggestions s where s.user_id = $1$$),
  ('private.unlicensed_contributions', 'unlicensed_contributions',
    $$select 'epoch'::timestamptz, x.park_id || ' ' || x.field, jsonb_build_object('park', private.park_name(x.park_id, $2),
      'field', x.field)
    from private.unlicensed_contributions x where x.user_id = $1$$);

-- hazards.sql
-- Hazards: dangers at a park, reported like its conditions; their kinds and durations stand in live_reports.sql. A verified one is told to
-- those who are about to go there. There is no text in it, so that no person or dog can be named.

create table private.hazard_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  report_id uuid not null references private.live_reports (id) on delete cascade
);
comment on table private.hazard_photos is 'Photos of hazards; like any photo of a park they show once a moderator approved them.';
alter table private.hazard_photos enable row level security;

create index on private.hazard_photos (report_id);

create function private.hazard_pause() returns interval language sql immutable set search_path = '' as $$ select interval '12 hours' $$;
comment on function private.hazard_pause is 'How long a person is not told again of the same hazard at the same park.';

create function private.hazard_notice_before_meeting() returns interval language sql immutable set search_path = ''
  as $$ select interval '3 hours' $$;
comment on function private.hazard_notice_before_meeting is 'So long before a meeting those who agreed to come are told of a hazard there.';

create function private.hidden_hazard_pause() returns interval language sql immutable set search_path = ''
  as $$ select interval '30 days' $$;
comment on function private.hidden_hazard_pause is 'How long a reporter waits after a moderator hid their report.';

create function private.most_hazard_notifications() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.most_hazard_notifications is 'Hazards that one person is told of in a day.';

create function private.remove_hazard_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.move_photo(old.path, null);
  return null;
end
$$;
comment on function private.remove_hazard_photo is
  'The file of a photo goes with its hazard: nothing shows it any more, and who has its address could open it for ever.';
create trigger remove_hazard_photo after delete on private.hazard_photos
  for each row execute function private.remove_hazard_photo();

create function private.tell_of_hazard(p_report_id uuid, p_invite_id uuid default null) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
  told integer;
begin
  -- Two jobs about one person would each miss what the other tells.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return 0;
  end if;
  -- Without a sender: who reported is secret.
  insert into public.notifications (type, receiver_id, data)
  select 'hazard', going.user_id, jsonb_build_object('park_id', report.park_id, 'report_id', report.id, 'hazard', report.hazard)
  from (
    select f.user_id from public.favourite_parks f where f.park_id = report.park_id and p_invite_id is null
    union
    select side from public.park_invites i, unnest(array[i.sender_id, i.receiver_id]) side
    where i.park_id = report.park_id and i.status = 'accepted' and (p_invite_id is null or i.id = p_invite_id)
      and i.meet_at between now() - private.just_left() and now() + private.hazard_notice_before_meeting()
    union
    select g.user_id from private.pack_times t join private.pack_time_members g on g.pack_time_id = t.id
    cross join lateral (select private.next_pack_moment(t) as meet_at) n
    where t.park_id = report.park_id and (p_invite_id is null or t.id = p_invite_id) and t.hidden_at is null
      and g.skipped is distinct from n.meet_at
      and n.meet_at between now() - private.just_left() and now() + private.hazard_notice_before_meeting()
  ) going
  where going.user_id is distinct from report.reporter
    and not exists (select from private.live_report_votes v where v.report_id = report.id and v.user_id = going.user_id)
    and not exists (
      select from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - private.hazard_pause() and n.type = 'hazard'
        and n.data @> jsonb_build_object('park_id', report.park_id, 'hazard', report.hazard))
    and (
      select count(*) from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - interval '1 day' and n.type = 'hazard'
    ) < private.most_hazard_notifications();
  get diagnostics told = row_count;
  if p_invite_id is null then
    perform private.add_job('desk-mail', 'hazard ' || report.id || ' ' || t.id, jsonb_build_object('town_id', t.id, 'report_id', report.id),
      p_lifetime => interval '1 day')
    from public.parks p join private.towns t on private.is_of_town(t, p) and t.mail is not null
    where p.id = report.park_id;
    perform private.tell_meeting_of_hazard(report.id, i.id, i.meet_at) from public.park_invites i
    where i.park_id = report.park_id and i.status = 'accepted' and i.meet_at > now() + private.hazard_notice_before_meeting();
    perform private.tell_meeting_of_hazard(report.id, t.id, n.meet_at)
    from private.pack_times t cross join lateral (select private.next_pack_moment(t) as meet_at) n
    where t.park_id = report.park_id and t.hidden_at is null and n.meet_at > now() + private.hazard_notice_before_meeting();
  end if;
  return told;
end
$$;
comment on function private.tell_of_hazard is
  'Notifies those who favour the park or meet there soon, or those of one invite or pack time, but not who reported, confirmed or '
  'denied it, or was told already; how many. Those who meet there later are told in their time.';

create function private.tell_meeting_of_hazard(p_report_id uuid, p_invite_id uuid, p_meet_at timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('tell-of-hazard', p_report_id || ' ' || p_invite_id,
    jsonb_build_object('report_id', p_report_id, 'invite_id', p_invite_id), p_lifetime => private.hazard_notice_before_meeting(),
    p_due_at => greatest(now(), p_meet_at - private.hazard_notice_before_meeting()))
$$;
comment on function private.tell_meeting_of_hazard is
  'Asks to tell the two of an accepted invite, or those of a pack time, of a hazard, if it is still there when their meeting comes near.';

create function private.tell_of_hazards() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-hazard', 20) loop
    perform private.tell_of_hazard((job.payload ->> 'report_id')::uuid, (job.payload ->> 'invite_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_hazards is
  'Drains the jobs tell-of-hazard: the host does it at once, on Supabase pg_cron each minute. A job of its own, because a park may be the '
  'favourite of thousands.';

create function private.hide_hazard(p_report_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
begin
  update private.live_reports r set hidden_at = now(), ended_at = coalesce(r.ended_at, now())
  where r.id = p_report_id and r.hazard is not null and r.hidden_at is null
  returning * into report;
  delete from public.notifications n
  where n.type = 'hazard' and n.data ->> 'report_id' = p_report_id::text and n.created_at >= report.reported_at;
  update public.park_photos f set status = 'rejected'
  from private.hazard_photos h where h.report_id = report.id and f.path = h.path and f.status <> 'rejected';
  perform private.move_photo(h.path, 'pending-photos') from private.hazard_photos h where h.report_id = report.id;
  return report.id is not null;
end
$$;
comment on function private.hide_hazard is
  'Ends a hazard that is none, and takes back what people were told of it, and its photos; its reporter cannot report it again for a '
  'month.';

create view public.park_hazards with (security_barrier) as
  select r.id, r.park_id, r.hazard,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.shown_confirmations(r.id) as confirmations,
    r.verified_at is not null as verified,
    private.quarter_hour(r.city_informed_at) as city_informed_at,
    private.quarter_hour(r.ended_at) as cleared_at,
    (select t.name from private.towns t where t.id = r.in_hand_by) as in_hand_by,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine,
    array(
      select h.path from private.hazard_photos h join public.park_photos f on f.path = h.path and f.status = 'approved'
      where h.report_id = r.id order by h.path) as photos
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.hazard is not null and r.hidden_at is null
    and case when r.ended_at is null then r.expires_at > now()
      else r.verified_at is not null and r.ended_at < r.expires_at and r.ended_at > now() - interval '1 day'
        and not exists (
          select from private.live_reports again
          where again.park_id = r.park_id and again.hazard = r.hazard and again.ended_at is null and again.expires_at > now())
    end;
comment on view public.park_hazards is
  'The hazards of parks that are reported now; those that were verified also for a day after they were cleared.';
comment on column public.park_hazards.id is 'never null';
comment on column public.park_hazards.park_id is 'never null';
comment on column public.park_hazards.hazard is 'never null';
comment on column public.park_hazards.reported_at is 'The quarter of an hour only, except for the reporter; never null';
comment on column public.park_hazards.confirmations is
  'How many others confirmed it who are regulars or have been there, of newcomers a few at most; never null';
comment on column public.park_hazards.verified is 'Whether somebody else who was there confirmed it; never null';
comment on column public.park_hazards.city_informed_at is 'When somebody said that they told the city, by the quarter of an hour.';
comment on column public.park_hazards.in_hand_by is 'The name of the town that does something about it.';
comment on column public.park_hazards.cleared_at is 'By the quarter of an hour; null while it is there.';
comment on column public.park_hazards.expires_at is 'never null';
comment on column public.park_hazards.mine is 'Whether the caller reported it; never null';
comment on column public.park_hazards.photos is 'Approved ones, as paths in the bucket parks; never null';

grant select on public.park_hazards to anon, authenticated;

create function public.report_hazard(p_park_id bigint, p_hazard public.park_hazard, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'report_hazard');
begin
  if result is null then
    result := private.store_idempotent_result(p_key, to_jsonb(private.make_report(me, p_park_id, p_hazard => p_hazard)));
  end if;
  return result #>> '{}';
end
$$;
comment on function public.report_hazard is
  'The id of the report. Confirm it with confirm_report, say that it is cleared with end_report.';

create function public.inform_city(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'inform_city');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  update private.live_reports r set city_informed_at = coalesce(r.city_informed_at, now())
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and private.has_been_at(me, r.park_id);
  return private.store_idempotent_result(p_key, to_jsonb(found))::boolean;
end
$$;
comment on function public.inform_city is
  'Says that the caller told the city of a hazard; who has not been there is not believed. Whether it is written there now.';

create function public.add_hazard_photo(p_report_id uuid, p_path text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
begin
  insert into private.hazard_photos (path, report_id)
  select f.path, r.id
  from private.live_reports r
  join public.park_photos f on f.path = p_path and f.park_id = r.park_id and f.status = 'pending'
  join private.photo_uploaders u on u.path = f.path and u.user_id = me
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and (r.reporter = me or exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = me and v.vote = 'confirm'))
  on conflict do nothing;
  update public.park_photos f set of_hazard = true
  where f.path = p_path and exists (select from private.hazard_photos h where h.path = f.path and h.report_id = p_report_id)
    and f.path in (select private.uploaded_photo_paths());
  return found;
end
$$;
comment on function public.add_hazard_photo is
  'Makes a photo that the caller uploaded (it still waits for a moderator) one of a hazard that they reported or confirmed; false where '
  'it is not theirs, or that is over. Safe to call again.';

grant execute on function
  public.report_hazard(bigint, public.park_hazard, uuid),
  public.inform_city(uuid, uuid),
  public.add_hazard_photo(uuid, text)
to authenticated;

insert into private.exports (relation, left_out) values
  ('private.hazard_photos', 'says only which of the exported files shows which hazard');

-- towns.sql
-- The town speaks: people whom an operator named for a town (desk_roles.sql; the table of towns is in roles.sql) post notices on its
-- parks, decide their facts and answer hazards there. Each is a decision of the desk, in its log and undone like one. Who reported
-- something a town never learns.

create type public.notice_kind as enum ('closed', 'sprayed', 'works', 'event');

create table private.park_notices (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  town_id bigint not null references private.towns (id),
  kind public.notice_kind not null,
  text text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  withdrawn_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint park_notices_text check (char_length(text) <= 300 and normalize(text, nfkc) !~* '://|www\.|[a-z0-9-]\.[a-z]{2,}'),
  constraint park_notices_time check (ends_at > starts_at)
);
comment on table private.park_notices is 'What towns say of their parks; no personal data: who wrote it is in the log of the desk.';
comment on column private.park_notices.text is 'Without links; empty where the kind says it all.';
alter table private.park_notices enable row level security;

create index on private.park_notices (park_id);
create index on private.park_notices (town_id);
create index on private.park_notices (ends_at);

create trigger touch_updated_at before update on private.park_notices
  for each row execute function private.touch_updated_at();

-- No search_path of its own, so that PostgreSQL inlines it.
create function private.is_of_town(p_town private.towns, p_park public.parks) returns boolean
language sql immutable as $$
  select coalesce(p_park.id = any (p_town.parks) or p_town.area @> point(p_park.long, p_park.lat), false)
$$;

create function private.my_town_of(p_park_id bigint) returns private.towns
language sql stable security definer set search_path = '' as $$
  select t from private.towns t join public.user_roles r on r.town_id = t.id and r.user_id = private.uid()
  join public.parks p on p.id = p_park_id and p.status = 'approved' and private.is_of_town(t, p)
  where private.my_role() = 'town'
$$;
comment on function private.my_town_of is 'The town for which the caller speaks, where the park is one of its own; else null.';

create function private.require_town(p_park_id bigint default null) returns private.towns
language plpgsql stable security definer set search_path = '' as $$
declare
  town private.towns;
begin
  if p_park_id is not null then
    town := private.my_town_of(p_park_id);
  elsif private.my_role() = 'town' then
    select t.* into town from private.towns t join public.user_roles r on r.town_id = t.id and r.user_id = private.uid();
  end if;
  if town.id is null then
    perform private.fail('desk_closed', 'This is for the town of the park, with the second factor.', '42501');
  end if;
  return town;
end
$$;
comment on function private.require_town is
  'The town of the caller; refuses whoever has none, and of a park that is not of this town, with the same words.';

create function private.refuse_facts_of_town(p_suggestion public.park_suggestions) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from jsonb_object_keys(private.suggested_fields(p_suggestion)) field join public.parks p on p.id = p_suggestion.park_id
    join private.towns t on t.id = (p.fact_sources -> regexp_replace(field, '^fact\.', '') ->> 2)::bigint and private.is_of_town(t, p)
  ) then
    perform private.fail('decided_by_town', 'The town of this park decided this.');
  end if;
end
$$;
comment on function private.refuse_facts_of_town is 'What a town decided about a park that is its own only the town changes.';

create function private.notices_of(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'kind', n.kind, 'text', n.text, 'starts_at', n.starts_at, 'ends_at', n.ends_at,
    'town', t.name) order by n.starts_at, n.id), '[]')
  from private.park_notices n join private.towns t on t.id = n.town_id
  where n.park_id = p_park_id and n.withdrawn_at is null and n.ends_at > now()
$$;
comment on function private.notices_of is 'What towns say of a park now or for later: [{id, kind, text, starts_at, ends_at, town}].';

create function public.town_desk() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  parks public.parks[] := array(select p from public.parks p where p.status = 'approved' and private.is_of_town(town, p));
  language public.language := private.my_language();
begin
  return (
    with own as materialized (
      select p.id, private.park_name(p.id, language) as name from unnest(parks) p
    )
    select jsonb_build_object('town', town.name,
      'mail', town.mail, 'mail_confirmed', town.mail_code is null,
      'parks', (select coalesce(jsonb_agg(to_jsonb(o) order by o.name, o.id), '[]') from own o),
      'hazards', (
        select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'park_id', o.id, 'park_name', o.name, 'hazard', h.hazard, 'reported_at',
          private.quarter_hour(h.reported_at), 'verified', h.verified, 'confirmations', h.confirmations, 'in_hand',
          h.in_hand_by is not null) order by h.reported_at, h.id), '[]')
        from public.park_hazards h join own o on o.id = h.park_id where h.cleared_at is null),
      'notices', (
        select coalesce(jsonb_agg(to_jsonb(n) - '{town_id,withdrawn_at,updated_at}'::text[] || jsonb_build_object('park_name',
          private.park_name(n.park_id, language)) order by n.starts_at, n.id), '[]')
        from private.park_notices n where n.town_id = town.id and n.withdrawn_at is null and n.ends_at > now()),
      'decisions', (
        select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'kind', d.kind, 'decision', d.decision, 'park_name', o.name,
          'decided_at', d.decided_at, 'undone_at', d.undone_at) order by d.decided_at desc, d.id), '[]')
        from (
          select x.* from private.desk_decisions x join public.user_roles r on r.user_id = x.actor and r.town_id = town.id
          where x.kind in ('notice', 'town_fact', 'town_hazard') and x.decided_at > now() - private.undo_time()
          order by x.decided_at desc, x.id limit 50) d
        join own o on o.id = d.park_id)));
end
$$;
comment on function public.town_desk is
  'What somebody of a town works with: {town, mail, mail_confirmed, parks: [{id, name}], hazards: [{id, park_id, park_name, hazard, '
  'reported_at, verified, confirmations, in_hand}], notices, decisions}; nothing about people.';

create function public.town_post_notice(
  p_park_id bigint, p_kind public.notice_kind, p_text text, p_starts_at timestamptz, p_ends_at timestamptz
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town(p_park_id);
  notice uuid := gen_random_uuid();
  decision_id uuid;
begin
  perform private.limit_rate('town_post_notice', 100, '1 day');
  if coalesce(p_ends_at <= now() or p_ends_at > p_starts_at + interval '1 year', true) then
    perform private.fail('invalid_input', 'A notice ends after now, and within a year of its beginning.');
  end if;
  perform private.enter_desk(p_alone => false);
  decision_id := private.begin_decision('notice', notice::text, p_park_id, null, 'post', null, private.uid());
  insert into private.park_notices (id, park_id, town_id, kind, text, starts_at, ends_at)
  values (notice, p_park_id, town.id, p_kind, private.clean_name(coalesce(p_text, '')), p_starts_at, p_ends_at);
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_post_notice is
  'A notice on a park of the caller''s town, of at most 300 characters without links: the decision, by which it is undone.';

create function public.town_withdraw_notice(p_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  park bigint;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  select n.park_id into park from private.park_notices n where n.id = p_id and n.town_id = town.id and n.withdrawn_at is null for update;
  if park is null then
    return null;
  end if;
  decision_id := private.begin_decision('notice', p_id::text, park, null, 'withdraw', null, private.uid());
  update private.park_notices n set withdrawn_at = now() where n.id = p_id;
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_withdraw_notice is 'Takes a notice of the caller''s town down: the decision; null where there is none.';

create function public.town_answer_hazard(p_id uuid, p_done boolean) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  report private.live_reports;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  select r.* into report from private.live_reports r
  where r.id = p_id and r.hazard is not null and r.ended_at is null and r.expires_at > now() for update;
  -- One of elsewhere looks like one that is over.
  if report.id is null or (private.my_town_of(report.park_id)).id is null or (p_done is not true and report.in_hand_by is not null) then
    return null;
  end if;
  decision_id := private.begin_decision('town_hazard', p_id::text, report.park_id, null, case when p_done then 'done' else 'in_hand' end,
    null, private.uid());
  update private.live_reports r set in_hand_by = town.id, ended_at = case when p_done then now() end where r.id = p_id;
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', told.user_id, jsonb_build_object('kind', case when p_done then 'hazard_done' else 'hazard_in_hand' end,
    'park_id', report.park_id, 'report_id', p_id, 'hazard', report.hazard, 'town', town.name)
  from (
    select report.reporter as user_id
    union select v.user_id from private.live_report_votes v where v.report_id = p_id and v.vote = 'confirm'
  ) told where told.user_id is not null;
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_answer_hazard is
  'Says that the caller''s town has a hazard in hand, or that it is done, which ends it; those who reported it are told. The decision; '
  'null where there is nothing to say.';

create function public.town_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  if not exists (
    select from private.desk_decisions d join public.user_roles r on r.user_id = d.actor and r.town_id = town.id
    where d.id = p_decision_id and d.kind in ('notice', 'town_fact', 'town_hazard') and (private.my_town_of(d.park_id)).id is not null) then
    return false;
  end if;
  return private.undo_decision(p_decision_id, private.uid());
end
$$;
comment on function public.town_undo is 'Undoes what somebody of the caller''s town decided; false where there is nothing to undo.';

create function public.town_set_mail(p_email text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  if p_email is not null then
    perform private.limit_rate('town_set_mail', 5, '1 day');
    perform private.add_job('desk-mail', 'town ' || town.id, jsonb_build_object('town_id', town.id));
  end if;
  update private.towns t set mail = p_email, mail_language = private.my_language(), mail_asked_at = now(),
    mail_code = case when p_email is not null then ''::bytea end
  where t.id = town.id;
  perform private.audit('town_mail', null, jsonb_build_object('town', town.id, 'on', p_email is not null));
end
$$;
comment on function public.town_set_mail is
  'Sends a code to the address that verified hazards in the parks of the caller''s town are to be mailed to; null: they are to no more.';

create function public.town_confirm_mail(p_code text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  perform private.limit_rate('town_confirm_mail', 20, '1 day');
  update private.towns t set mail_code = null
  where t.id = town.id and t.mail_code = private.role_code_hash(p_code) and t.mail_asked_at > now() - interval '1 day';
  return found;
end
$$;
comment on function public.town_confirm_mail is 'Whether the code is the one that was sent to the address of the caller''s town.';

grant execute on function
  public.town_desk(),
  public.town_post_notice(bigint, public.notice_kind, text, timestamptz, timestamptz),
  public.town_withdraw_notice(uuid),
  public.town_answer_hazard(uuid, boolean),
  public.town_undo(uuid),
  public.town_set_mail(text),
  public.town_confirm_mail(text)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('addresses of towns: a day unless confirmed, and as long as somebody speaks for the town', 50,
    $$update private.towns t set mail = null, mail_code = null where t.mail is not null and (not exists (
      select from public.user_roles r where r.town_id = t.id)
      or (t.mail_code is not null and t.mail_asked_at < now() - interval '1 day'))$$),
  ('notices of towns: 90 days after their end', 50, $$delete from private.park_notices n where n.ends_at < now() - interval '90 days'$$);

-- fact_answers.sql
-- One tap to know: after a check-in one question about a fact of the park that nobody knows. What several people answer alike
-- becomes the fact; what they answer differently shows as disputed.

create table private.fact_answers (
  park_id bigint not null references public.parks (id) on delete cascade,
  fact text not null,
  value text not null,
  user_id uuid references public.users (id) on delete set null,
  standing public.standing not null,
  answered_at timestamptz not null default now(),
  unique (park_id, fact, user_id),
  check (private.are_park_facts(jsonb_build_object(fact, value)))
);
comment on table private.fact_answers is
  'What people said on the spot of facts that nobody knew, the latest of each: nobody may know who said it.';
comment on column private.fact_answers.user_id is 'Null once the account is deleted.';
comment on column private.fact_answers.standing is 'The user''s, at the answer.';
alter table private.fact_answers enable row level security;

create index on private.fact_answers (user_id);
create index fact_answers_old on private.fact_answers (answered_at);

create function private.asked_facts() returns text[]
language sql immutable set search_path = '' as $$
  select '{fenced,drinking_water,small_dog,lit,dog,double_gate,excrement_bags,bin,bench,dog_agility,parking,wheelchair,fee}'::text[]
$$;
comment on function private.asked_facts is
  'The facts that a visitor can see and answer with a button, what decides whether somebody goes first.';

create function private.fact_sides(p_park_id bigint, p_fact text)
returns table (value text, people integer, regulars integer, weight integer)
language sql stable security definer set search_path = '' as $$
  select a.value, count(*)::integer, (count(*) filter (where a.standing in ('regular', 'regular_there')))::integer,
    (coalesce(sum(private.weight(a.standing)) filter (where a.standing in ('regular', 'regular_there')), 0)
      + least(coalesce(sum(private.weight(a.standing)) filter (where a.standing in ('newcomer', 'newcomer_there')), 0),
        private.most_newcomer_weight()))::integer
  from private.fact_answers a where a.park_id = p_park_id and a.fact = p_fact
  group by a.value
$$;
comment on function private.fact_sides is
  'Who says what of a fact: people, regulars among them, and what their words weigh as words about a condition do.';

create function private.settle_fact(p_park_id bigint, p_fact text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  agreed text;
begin
  -- Two answers at once would each miss the other.
  perform pg_advisory_xact_lock(hashtextextended(format('fact:%s:%s', p_park_id, p_fact), 0));
  select side.value into agreed from private.fact_sides(p_park_id, p_fact) side
  where side.people >= 2 and side.regulars > 0
    and side.weight >= 2 * (select coalesce(sum(o.weight), 0) from private.fact_sides(p_park_id, p_fact) o where o.value <> side.value);
  if agreed is not null and not exists (select from public.parks p where p.id = p_park_id and p.facts ? p_fact) then
    perform private.set_park_fact(p_park_id, p_fact, agreed, 'people');
  end if;
  return agreed;
end
$$;
comment on function private.settle_fact is
  'Writes a fact that nobody knew once two people say so, one of them a regular, and nobody of half their weight says otherwise. The '
  'value, or null.';

create function private.disputed_facts(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(disputed.fact, disputed.said), '{}')
  from (
    select a.fact, (select jsonb_agg(side.value order by side.weight desc, side.value) from private.fact_sides(p_park_id, a.fact) side
      where side.regulars > 0) as said
    from private.fact_answers a join public.parks p on p.id = a.park_id
    where a.park_id = p_park_id and not p.facts ? a.fact
    group by a.fact having count(distinct a.value) > 1
  ) disputed
  where jsonb_array_length(disputed.said) > 1
$$;
comment on function private.disputed_facts is
  'The facts on which regulars who were there disagree: {fact: [values, the weightiest first]}.';

create function public.park_question() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  visit public.check_ins;
begin
  select * into visit from private.present c where c.user_id = me for update;
  if visit.id is null or visit.question_answered then
    return null;
  end if;
  if visit.asked_fact is null then
    -- What somebody has answered already first: it takes two.
    select asked.fact into visit.asked_fact
    from public.parks p cross join unnest(private.asked_facts()) with ordinality asked (fact, place)
    where p.id = visit.park_id and not p.facts ? asked.fact
      and not exists (select from private.fact_answers a where a.park_id = p.id and a.fact = asked.fact and a.user_id = me)
    order by exists (select from private.fact_answers a where a.park_id = p.id and a.fact = asked.fact) desc, asked.place
    limit 1;
    if visit.asked_fact is null then
      return null;
    end if;
    update public.check_ins c set asked_fact = visit.asked_fact where c.id = visit.id;
  end if;
  return jsonb_build_object('check_in_id', visit.id, 'park_id', visit.park_id, 'fact', visit.asked_fact);
end
$$;
comment on function public.park_question is
  'The one question of the caller''s visit: {check_in_id, park_id, fact}; null where there is none, or it was answered.';

create function public.answer_park_question(p_check_in_id uuid, p_value text default null, p_key uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- 'I do not know' is no fact.
  me uuid := case when p_value is null then private.require_user() else private.require_contributor() end;
  result jsonb := private.claim_idempotency_key(p_key, 'answer_park_question');
  visit public.check_ins;
  park bigint;
begin
  if result is not null then
    return result;
  end if;
  select * into visit from public.check_ins c
  where c.id = p_check_in_id and c.user_id = me and c.kind = 'visit' and c.asked_fact is not null
    and c.started_at > now() - interval '1 day' for update;
  if visit.id is null or visit.question_answered then
    perform private.fail('question_closed', 'This question was answered, or the visit was too long ago.');
  end if;
  if p_value is not null and not private.are_park_facts(jsonb_build_object(visit.asked_fact, p_value)) then
    perform private.fail('invalid_input', 'This is no answer to that question.');
  end if;
  update public.check_ins c set question_answered = true where c.id = visit.id;
  park := private.present_park(visit.park_id);
  if p_value is not null then
    insert into private.fact_answers (park_id, fact, value, user_id, standing)
    values (park, visit.asked_fact, p_value, me, private.standing_at(me, park))
    on conflict (park_id, fact, user_id) do update set value = excluded.value, standing = excluded.standing, answered_at = now();
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'agreed', case when p_value is not null then private.settle_fact(park, visit.asked_fact) end));
end
$$;
comment on function public.answer_park_question is
  'The answer to the question of a visit of the last day, once; null says that the caller does not know. agreed: the value that several '
  'people say now, or null.';

grant execute on function public.park_question(), public.answer_park_question(uuid, text, uuid) to authenticated;

insert into private.retention (name, run_order, statement) values
  ('answers about facts: 90 days', 50, $$delete from private.fact_answers a where a.answered_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.fact_answers', 'fact_answers',
    $$select a.answered_at, a.park_id || ' ' || a.fact, jsonb_build_object('park', private.park_name(a.park_id, $2), 'fact',
      a.fact, 'value', a.value,
      'answered_at', a.answered_at, 'standing', a.standing)
    from private.fact_answers a where a.user_id = $1$$);

-- park_list.sql
-- What the published list of parks is made from: names, places and ratings, and whether it is to be written again.

create function public.parks_for_publishing(p_language public.language) returns json
language sql stable security definer set search_path = '' as $$
  -- Ordered by city and street: neighbours in the file repeat each other, so it compresses well. The order of the keys was
  -- found by trying; what no other park has, its place, comes last: 4 % fewer bytes.
  select coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', p.id, 'name', t.name, 'address', t.address, 'rank', round(r.average_rank, 1)::float8, 'shade', p.shade::float8,
    'size', p.size_label, 'city', t.city, 'reviews', nullif(r.review_count, 0), 'facts', nullif(p.facts, '{}'),
    'ground', nullif(p.materials, '{}'), 'facilities', p.has_facilities,
    'location', json_build_object('lat', round(p.lat::numeric, 5)::float8, 'long', round(p.long::numeric, 5)::float8)
  )) order by t.city, t.address, t.name, p.id), '[]')
  from public.parks p
  left join public.park_translations own on own.park_id = p.id and own.language = p_language
  left join public.park_translations english on english.park_id = p.id and english.language = 'en' and own.park_id is null
  left join lateral (
    select x.* from public.park_translations x where x.park_id = p.id order by x.language limit 1
  ) any_other on own.park_id is null and english.park_id is null
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (select
    coalesce(own.name, english.name, any_other.name) as name,
    coalesce(own.city, english.city, any_other.city) as city,
    coalesce(own.address, english.address, any_other.address) as address
  ) t
  where p.status = 'approved' and t.name is not null
$$;
comment on function public.parks_for_publishing is 'The content of parks-{language}.json.';

create function public.stale_park_list() returns text[]
language sql stable security definer set search_path = '' as $$
  select array_agg(c.transaction::text) from private.park_list_changes c having bool_or(c.due_at <= now())
$$;
comment on function public.stale_park_list is
  'The changes that are not published yet, or null while none of them is due. Read it before parks_for_publishing, then pass it to '
  'park_list_published.';

create function public.park_list_published(p_changes text[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.park_list_changes c where c.transaction = any (p_changes::xid8[])
$$;

grant execute on function
  public.parks_for_publishing(public.language),
  public.stale_park_list(),
  public.park_list_published(text[])
to service_role;

-- park_live.sql
-- What is going on at parks: counts for everybody, names for friends only. One statement answers a park's page.

create type public.busy_level as enum ('quiet', 'medium', 'busy');

create function private.busy_level(p_dogs bigint) returns public.busy_level
language sql immutable as $$
  select case when p_dogs >= 7 then 'busy' when p_dogs >= 3 then 'medium' else 'quiet' end::public.busy_level
$$;

create function private.crowd(p_people bigint) returns text
language sql immutable as $$
  select case when p_people >= 15 then 'many' when p_people >= 10 then 'several' when p_people >= 7 then 'few' end
$$;
comment on function private.crowd is
  'People at a park in words, because a number beside that of the dogs would tell whose they are. Null below seven: four may be '
  'accounts of one person.';

create function private.friends_there(p_park_id bigint default null) returns table (friend jsonb)
language sql stable security definer set search_path = '' as $$
  -- Of one park it begins with those who are there, of all parks with the friends: both are few.
  with me as materialized (select private.uid() as id),
  visits as (
    select c.id, c.user_id, c.park_id, c.started_at
    from private.friend_ids() f (id) join private.present c on c.user_id = f.id where p_park_id is null
    union all
    select c.id, c.user_id, c.park_id, c.started_at
    from me join private.present c on c.park_id = p_park_id
    join private.friendships f on f.user_low = least(c.user_id, me.id) and f.user_high = greatest(c.user_id, me.id)
      and f.status = 'accepted'
  )
  select jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'park_id', v.park_id, 'since', v.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'photo', d.photo) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      -- The path of a photo names the owner, who may hide from the caller.
      where cd.check_in_id = v.id and (d.owner = v.user_id or private.may_see(d.owner))), '[]'))
  from visits v
  -- Hidden users are only ever counted, even among friends.
  join public.users u on u.id = v.user_id and not u.hidden
  join public.parks p on p.id = v.park_id and p.status = 'approved'
  order by v.started_at, u.id
$$;
comment on function private.friends_there is 'The caller''s friends who are at a park now, or at this one, with the dogs they brought.';

create function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
-- To plan it anew for each moment takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  moment timestamptz := now();
  -- All who ask within the same three seconds go on from the same slot, so that the next questions are the same, too.
  slot integer := floor(extract(epoch from moment) / 3);
  -- Ten seconds are told twice: a change is seen when its transaction commits, at most a statement timeout (8 s) after the
  -- moment that it carries.
  since timestamptz := case when p_since between slot - 400 and slot
    then to_timestamp(p_since * 3::double precision) - interval '10 seconds' end;
  dogs json;
  conditions json;
  hazards json;
  answer json;
begin
  -- This is asked all day, of a whole country: all parks that have something are looked up at once, after it is summed up, and
  -- among the few that are not approved.
  with visits as (
    select c.park_id, c.dog_count, greatest(c.started_at, c.changed_at) > since as changed
    from private.present c where c.counted
    union all
    select c.park_id, 0, true from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > since
      and c.expires_at <= moment
    union all
    -- Bounded at both ends, here and below, so that the planner expects few.
    select c.park_id, 0, true from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute'
      and (c.counted or c.kind = 'taken_back')
  ), told as (
    select v.park_id, sum(v.dog_count) as dogs from visits v group by v.park_id
    having case when since is null then sum(v.dog_count) > 0 else bool_or(v.changed) end
  ), counted as (
    select t.park_id, t.dogs, t.park_id - coalesce(lag(t.park_id) over (order by t.park_id), 0) as step
    from told t where t.park_id <> all (array(
      select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select x.park_id from told x))))
  )
  select json_agg(pair.value order by c.park_id, pair.place) into dogs
  from counted c cross join unnest(array[c.step, c.dogs]) with ordinality pair (value, place);

  with reports as materialized (
    select l.park_id, l.condition, l.hazard, null::public.notice_kind as notice, l.verified_at is not null as verified,
      l.reported_at > since or l.verified_at > since as changed
    from private.live_reports l where l.ended_at is null and l.expires_at > moment
    union all
    select l.park_id, null, null, null, null, true from private.live_reports l where l.ended_at is null and l.expires_at > since
      and l.expires_at <= moment
    union all
    select l.park_id, null, null, null, null, true from private.live_reports l where l.ended_at > since
      and l.ended_at < moment + interval '1 minute'
    union all
    select n.park_id, null, null, n.kind, null, bool_or(greatest(n.starts_at, n.updated_at) > since) from private.park_notices n
    where n.kind in ('closed', 'sprayed') and n.withdrawn_at is null and n.starts_at <= moment and n.ends_at > moment
    group by n.park_id, n.kind
    union all
    select n.park_id, null, null, null, null, true from private.park_notices n
    where n.ends_at > since and (n.ends_at <= moment or n.withdrawn_at > since)
  ), told as (
    select r.park_id, coalesce(json_agg(r.said) filter (where r.said is not null), '[]') as conditions,
      coalesce(json_object_agg(r.hazard, r.verified) filter (where r.hazard is not null), '{}') as hazards,
      bool_or(r.said is not null) as has_conditions, bool_or(r.hazard is not null) as has_hazards
    -- Sorted once for all parks, instead of twice for each.
    from (
      select x.*, coalesce(x.condition::text, x.notice::text) as said from reports x
      where (since is null or x.park_id in (select y.park_id from reports y where y.changed))
        and x.park_id <> all (array(
          select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select y.park_id from reports y))))
      order by x.park_id, x.notice, x.condition, x.hazard
    ) r
    group by r.park_id
  )
  select json_object_agg(t.park_id, t.conditions order by t.park_id) filter (where since is not null or t.has_conditions),
    json_object_agg(t.park_id, t.hazards order by t.park_id) filter (where since is not null or t.has_hazards)
  into conditions, hazards from told t;

  -- Also without the spaces that PostgreSQL writes around colons.
  answer := json_strip_nulls(json_build_object(
    'at', case when since is not null and dogs is null and conditions is null then p_since else slot end,
    'all', case when since is null then true end,
    'dogs', dogs,
    'conditions', conditions,
    'hazards', hazards));
  -- Changes are shorter than the validator that would spare them.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer::text), 12))))
      else '[]' end)::text, true);
  return answer;
end
$$;
comment on function public.live_counts is
  'Dogs now, conditions (and closed and sprayed, where a town says so) and hazards: {at, all?, dogs: [step to the next park id, dogs, …], '
  'conditions: {park id: […]}, hazards: {park id: {hazard: whether it is verified}}}. With the last at as p_since only parks that changed, '
  'else all that have any (all is true). The same for every caller, so shared caches may hand it out for 3 seconds; not with p_fresh.';

create function public.friends_now() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there() f
$$;
comment on function public.friends_now is
  'Where the caller''s friends are now: [{id, name, picture, park_id, since, dogs: [{id, name, photo}]}].';

create function public.park_status(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'dogs_now', there.dogs,
    'people', private.crowd(there.people),
    'busy_level', private.busy_level(there.dogs),
    'average_rank', r.average_rank,
    'review_count', coalesce(r.review_count, 0),
    'rank_distribution', coalesce(r.ranks, '{0,0,0,0,0}'),
    'friends_here', case when me is null then '[]' else (select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there(p.id) f) end,
    'conditions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.condition) from public.park_conditions c where c.park_id = p.id), '[]'),
    'hazards', coalesce((
      select jsonb_agg(to_jsonb(h) order by h.cleared_at is not null, h.verified desc, h.hazard) from public.park_hazards h
        where h.park_id = p.id), '[]'),
    'notices', private.notices_of(p.id),
    'disputed_facts', private.disputed_facts(p.id),
    'my_plan', (
      select jsonb_build_object('expires_at', c.expires_at)
      from private.planned c where c.user_id = me and c.park_id = p.id),
    'is_favourite', exists (select from public.favourite_parks f where f.user_id = me and f.park_id = p.id),
    'my_photos', (
      select coalesce(jsonb_agg(f.path order by f.path), '[]') from private.photo_uploaders u join public.park_photos f on f.path = u.path
      where u.user_id = me and f.park_id = p.id),
    'my_review_id', (select v.id from public.reviews v where v.author = me and v.park_id = p.id),
    'been_here', me is not null and private.has_been_at(me, p.id)
  )
  from private.uid() me
  join public.parks p on p.id = p_park_id and p.status = 'approved'
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (
    select coalesce(sum(c.dog_count), 0)::bigint as dogs, count(*) as people
    from private.present c where c.park_id = p.id and c.counted
  ) there
$$;
comment on function public.park_status is
  'Everything about a park that changes by the minute, as one object; null for a park that is not there.';

grant execute on function
  public.live_counts(integer, boolean),
  public.park_status(bigint)
to anon, authenticated;

grant execute on function public.friends_now() to authenticated;

-- park_company.sql
-- What the dogs at a park are like by most of them, without telling whose they are.

create table private.park_companies (
  park_id bigint primary key references public.parks (id) on delete cascade,
  slot bigint not null,
  company jsonb
);
comment on table private.park_companies is
  'What was last told of the dogs at a park: in the same ten minutes the same, so that nobody subtracts who comes and goes.';
alter table private.park_companies enable row level security;

create function private.least_company() returns integer language sql immutable set search_path = '' as $$ select 9 $$;
comment on function private.least_company is
  'So many regulars must be there before it is told what most dogs are like: four may be accounts of one person who subtracts their dogs.';

create function private.mostly(p_traits jsonb) returns text
language sql immutable set search_path = '' as $$
  -- Each person counts once, however many dogs they bring.
  with shares as (
    select t.trait, sum(1.0 / jsonb_array_length(v.value)) as people
    from jsonb_array_elements(p_traits) v cross join lateral jsonb_array_elements_text(v.value) t (trait) group by t.trait
  )
  select case when coalesce(jsonb_array_length(p_traits), 0) < private.least_company() then null
    else coalesce((select s.trait from shares s where s.people * 3 >= jsonb_array_length(p_traits) * 2), 'MIXED') end
$$;
comment on function private.mostly is
  'The trait of two thirds of the people, else MIXED; null of too few. p_traits: one list for each person.';

create function public.park_company(p_park_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  current_slot bigint := floor(extract(epoch from now()) / 600);
  told private.park_companies;
begin
  select * into told from private.park_companies c where c.park_id = p_park_id and c.slot = current_slot;
  if not found then
    insert into private.park_companies as c (park_id, slot, company)
    select p.id, current_slot, (
      select jsonb_strip_nulls(jsonb_build_object('size', private.mostly(jsonb_agg(v.sizes) filter (where v.sizes <> '[]')),
        'energy', private.mostly(jsonb_agg(v.energies) filter (where v.energies <> '[]'))))
      from private.present x
      cross join lateral (
        select coalesce(jsonb_agg(d.size) filter (where d.size is not null), '[]') as sizes,
          coalesce(jsonb_agg(d.energy) filter (where d.energy is not null), '[]') as energies
        from public.check_in_dogs b join public.dogs d on d.id = b.dog_id and d.deleted_at is null where b.check_in_id = x.id
      ) v
      where x.park_id = p.id and x.counted and x.vouched)
    from public.parks p where p.id = p_park_id and p.status = 'approved'
    on conflict (park_id) do update set slot = excluded.slot, company = excluded.company where c.slot < excluded.slot;
    select * into told from private.park_companies c where c.park_id = p_park_id;
  end if;
  return nullif(told.company, '{}');
end
$$;
comment on function public.park_company is
  'What most dogs at a park are like: {size?, energy?}, each a trait or MIXED; null while too few regulars who are there told it. The '
  'same for ten minutes.';

grant execute on function public.park_company(bigint) to anon, authenticated;

-- notifications.sql
-- Notifications: triggers insert them unpublished; when their transaction commits, a second step writes the texts in the
-- receiver's language, or drops what is muted. Realtime sends that UPDATE; pushes go through an outbox (push.sql).

create type public.notification_type as enum ('friendRequest', 'friendApproval', 'parkInvite', 'parkInviteResponse', 'hazard',
  'parkInviteCancelled', 'deskDecision', 'measure', 'deskWaiting', 'friendThere', 'friendComing', 'mailsFail', 'lostDog',
  'dogSighting', 'dogFound', 'dogPeople');

create table private.notification_kinds (
  kind public.notification_type primary key,
  preference text,
  of_desk boolean not null,
  kept_muted boolean not null,
  push_lives interval not null
);
comment on table private.notification_kinds is
  'One row for each kind of notification, and all that publishing asks of it; no personal data.';
comment on column private.notification_kinds.preference is
  'The column of notifications_preferences that switches it off; null where nothing does but muting.';
comment on column private.notification_kinds.of_desk is 'Whether private.desk_text writes it, else private.notification_texts.';
comment on column private.notification_kinds.kept_muted is
  'Whether the list has it for who has muted all: then it counts as seen, and nothing else tells of it.';
comment on column private.notification_kinds.push_lives is 'For how long a push is worth sending, at most a day.';
alter table private.notification_kinds enable row level security;
insert into private.notification_kinds (kind, preference, of_desk, kept_muted, push_lives) values
  ('friendRequest', 'friend_request', false, false, '1 day'),
  ('friendApproval', 'friend_approval', false, false, '1 day'),
  ('friendThere', 'friend_there', false, false, '4 hours'),
  ('friendComing', 'friend_there', false, false, '2 hours'),
  ('parkInvite', 'park_invite', false, true, '1 day'),
  ('parkInviteResponse', 'park_invite', false, false, '1 day'),
  ('parkInviteCancelled', 'park_invite', false, true, '1 day'),
  ('dogPeople', null, false, true, '1 day'),
  ('hazard', 'hazard', false, false, '2 hours'),
  ('lostDog', 'lost_dog', false, false, '6 hours'),
  ('dogSighting', null, false, true, '1 day'),
  ('dogFound', 'lost_dog', false, false, '1 day'),
  ('deskDecision', 'desk_decision', true, true, '1 day'),
  ('measure', null, true, true, '1 day'),
  ('deskWaiting', null, true, true, '1 day'),
  ('mailsFail', null, true, true, '1 day');

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  type public.notification_type not null references private.notification_kinds (kind),
  sender_id uuid references public.users (id) on delete cascade,
  receiver_id uuid not null references public.users (id) on delete cascade,
  title text not null default '',
  app_message text not null default '',
  push_message text not null default '',
  is_ready boolean not null default false,
  read_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  data jsonb not null default '{}'
);
comment on table public.notifications is 'Messages to a user; invisible until published (is_ready).';
comment on column public.notifications.sender_id is
  'Null of a hazard, a lost dog, and of what the desk says: who reported it or decided is secret; and of a dog that was handed over.';
comment on column public.notifications.data is
  'park_id, invite_id, meet_at, report_id, hazard, town, visit_id and until, where the type has them; accepted: the answer, once there '
  'is one; of dogs lost_id, event, dog (its name), dog_id and owner_id (in whose '
  'profile the receiver finds it: their own).';
alter table public.notifications enable row level security;

create table public.notifications_preferences (
  user_id uuid primary key default auth.uid() references public.users (id) on delete cascade,
  muted boolean not null default false,
  friend_request boolean not null default true,
  friend_approval boolean not null default true,
  park_invite boolean not null default true,
  hazard boolean not null default true,
  lost_dog boolean not null default true,
  desk_decision boolean not null default true,
  friend_there boolean not null default false,
  quiet_from smallint not null default 22 check (quiet_from between 0 and 23),
  quiet_to smallint not null default 7 check (quiet_to between 0 and 23)
);
comment on table public.notifications_preferences is 'Which kinds a user wants; no row means all of them. Muted turns off all.';
comment on column public.notifications_preferences.friend_there is
  'Both ways: a person is told of friends at a park or coming, and friends of this one, where both have it on.';
comment on column public.notifications_preferences.quiet_from is
  'Pushes wait from this hour until quiet_to, by the clock of the device; the same hour twice for no wait.';
alter table public.notifications_preferences enable row level security;

grant select on public.notifications to authenticated;
grant select, insert, update on public.notifications_preferences to authenticated;

create index notifications_unseen on public.notifications (receiver_id, created_at desc) where seen_at is null;
create index notifications_history on public.notifications (receiver_id, created_at desc);
create index notifications_of_sender on public.notifications (sender_id, receiver_id);

create function private.publish_notification() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  receiver record;
  texts record;
  ready public.notifications;
begin
  -- One statement, as each notification has this: and a decision about many parks has many.
  select u.language, k.of_desk, coalesce(p.muted, false) as muted,
    coalesce((to_jsonb(p) ->> k.preference)::boolean, true) and (k.kept_muted or not coalesce(p.muted, false)) as wanted
  into receiver
  from public.users u join private.notification_kinds k on k.kind = new.type
  left join public.notifications_preferences p on p.user_id = u.id
  where u.id = new.receiver_id;
  if receiver.wanted is not true then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  texts := private.notification_words(new, receiver.of_desk, receiver.language);
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.push, is_ready = true,
    seen_at = case when receiver.muted then now() end
  where n.id = new.id returning * into ready;
  if found and not receiver.muted then
    perform private.queue_pushes(ready);
    if new.type = 'deskDecision' then
      -- One mail for what is decided within a quarter of an hour.
      perform private.add_job('desk-mail', 'decided ' || new.receiver_id,
        jsonb_build_object('user_id', new.receiver_id, 'decided_since', new.created_at), new.receiver_id, '7 days',
          new.created_at + interval '15 minutes', true);
    end if;
  end if;
  return null;
end
$$;
comment on function private.publish_notification is
  'Writes the texts and queues the pushes and the mail about a decision, or drops what is muted; runs when the transaction that notified '
  'commits.';
create constraint trigger publish_notification after insert on public.notifications
  deferrable initially deferred for each row when (not new.is_ready) execute function private.publish_notification();

create function private.follow_language() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The login's mails read it there.
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data || jsonb_build_object('language', new.language)
  where u.id = new.id;
  update public.notifications n set title = words.title, app_message = words.message, push_message = words.push
  from (
    select i.id, t.* from public.notifications i join private.notification_kinds k on k.kind = i.type
    cross join lateral private.notification_words(i, k.of_desk, new.language) t
    where i.receiver_id = new.id and i.is_ready
    -- As many as devices show.
    order by i.created_at desc limit 200
  ) words
  where n.id = words.id;
  return null;
end
$$;
comment on function private.follow_language is 'What was written to somebody is written again in the language that they read now.';
create trigger follow_language after update of language on public.users
  for each row when (old.language <> new.language) execute function private.follow_language();

create function private.notify_of_friendship() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  friendship private.friendships := case when tg_op = 'DELETE' then old else new end;
  asker uuid := friendship.requester;
  other uuid := case when asker = friendship.user_low then friendship.user_high else friendship.user_low end;
begin
  if tg_op = 'INSERT' then
    -- Many new accounts at once are one person: the requests stand in the list, and the phone stays silent.
    if new.status = 'pending' and (private.is_regular(asker)
        or private.count_attempt(other, 'told_of_request', interval '1 day') <= private.most_request_notifications()) then
      perform private.notify('friendRequest', asker, other);
    end if;
  elsif tg_op = 'UPDATE' and new.status = 'accepted' then
    perform private.notify('friendApproval', other, asker);
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || '{"accepted": true}'
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  else
    -- Removed or declined: there is nothing to answer any more.
    delete from public.notifications n
    where (n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest')
      or (n.type in ('friendThere', 'friendComing') and (n.sender_id, n.receiver_id) in ((asker, other), (other, asker)));
  end if;
  return null;
end
$$;
create trigger notify_of_friendship after insert or delete or update of status on private.friendships
  for each row execute function private.notify_of_friendship();

create function private.delete_notifications_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where (n.sender_id = new.blocker and n.receiver_id = new.blocked) or (n.sender_id = new.blocked and n.receiver_id = new.blocker);
  return null;
end
$$;
create trigger delete_notifications_on_block after insert on public.blocks
  for each row execute function private.delete_notifications_on_block();

create function private.notification_texts(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean,
    p_detail text,
  out title text, out message text, out push text
)
language plpgsql stable set search_path = '' as $$
declare
  texts jsonb := private.texts(p_language);
  pair jsonb := texts -> (p_type || case when p_type = 'parkInviteResponse' then case when p_accepted then '.accepted'
    else '.declined' end when p_type = 'dogPeople' then '.' || p_detail else '' end);
begin
  title := pair ->> 0;
  message := format(pair ->> 1, private.isolate_direction(p_sender), private.isolate_direction(coalesce(p_park, '')),
    private.isolate_direction(coalesce(private.clock_words(p_meet_at, texts ->> 'time'), '')),
    texts #>> array['hazards', p_detail]);
  -- What says who is where passes through other companies' hands without names.
  push := coalesce(pair ->> 2, message);
end
$$;

create function private.desk_text(
  p_type public.notification_type, p_language public.language, p_data jsonb, out title text, out message text
)
language plpgsql stable set search_path = '' as $$
declare
  texts jsonb := private.texts(p_language);
  reason text := texts ->> ('reason.' || (p_data ->> 'reason'));
  pair jsonb;
begin
  if p_type = 'deskDecision' then
    pair := texts -> ('decided.' || (p_data ->> 'kind')
      || case p_data ->> 'approved' when 'true' then '.approved' when 'false' then '.rejected' else '' end);
    message := format(pair ->> 1, private.isolate_direction(coalesce(private.park_name((p_data ->> 'park_id')::bigint, p_language),
      '')), reason, texts #>> array['hazards', p_data ->> 'hazard'], private.isolate_direction(p_data ->> 'town'));
  elsif p_type = 'measure' then
    pair := texts -> ('measure.' || (p_data ->> 'measure') || case when p_data ->> 'measure' = 'limit' and p_data ->> 'until' is null
      then '.for_good' else '' end);
    message := format(pair ->> 1, reason, private.isolate_direction(coalesce(
      private.clock_words((p_data ->> 'until')::timestamptz, texts ->> 'time'), '')));
  else
    pair := texts -> p_type::text;
    message := format(pair ->> 1, p_data ->> 'waiting', p_data ->> 'hours');
  end if;
  title := pair ->> 0;
end
$$;
comment on function private.desk_text is 'What the desk says to somebody, in their language.';

create function private.notification_words(
  p_notification public.notifications, p_of_desk boolean, p_language public.language, out title text, out message text,
    out push text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  data jsonb := p_notification.data;
  sender text := (select u.name from public.users u where u.id = p_notification.sender_id);
begin
  if p_of_desk then
    select t.title, t.message, t.message into title, message, push from private.desk_text(p_notification.type, p_language, data) t;
  else
    select t.* into title, message, push from private.notification_texts(
      p_notification.type, p_language, coalesce(data ->> 'dog', sender), coalesce(private.park_name((data ->> 'park_id')::bigint,
        p_language), sender), coalesce(data ->> 'meet_at', data ->> 'until')::timestamptz, (data ->> 'accepted')::boolean,
      coalesce(data ->> 'event', data ->> 'hazard')) t;
  end if;
end
$$;

create function private.notify(p_type public.notification_type, p_sender uuid, p_receiver uuid, p_data jsonb default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notifications (type, sender_id, receiver_id, data)
  select p_type, p_sender, p_receiver, p_data
  where not private.is_blocked_between(p_sender, p_receiver)
$$;

-- A person who contacted the caller can be blocked and reported, hidden by now or not.
create function private.has_contacted_caller(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  -- Only what the other user did and what told the caller their name: the caller's own requests would reveal whether
  -- somebody hides or has blocked.
  select exists (
      select from private.friendships f
      where f.user_low = least(p_user_id, private.uid()) and f.user_high = greatest(p_user_id, private.uid()) and f.requester = p_user_id)
    or exists (select from private.declined_requests d where d.requester = p_user_id and d.receiver = private.uid())
    or exists (select from public.notifications n where n.sender_id = p_user_id and n.receiver_id = private.uid() and n.is_ready)
$$;
comment on function private.has_contacted_caller is 'Whether this user sent the caller a request, an answer or an invite.';

create policy "users see their own notifications when ready" on public.notifications for select to authenticated
  using (receiver_id = (select auth.uid()) and is_ready);
create policy "users see their own preferences" on public.notifications_preferences for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users set their own preferences" on public.notifications_preferences for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users change their own preferences" on public.notifications_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.notifications as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing before the second factor" on public.notifications_preferences as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

alter publication supabase_realtime add table public.notifications;
-- No deletions: realtime sends them to every listener of a table, because policies cannot be asked about a row that is
-- gone, and the sender of a request would learn that it was declined.
alter publication supabase_realtime set (publish = 'insert, update');

create function public.mark_notification_read(notification_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
  where n.id = mark_notification_read.notification_id and n.receiver_id = private.uid() and n.is_ready
$$;

create function public.mark_all_notifications_as_read() returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set read_at = now(), seen_at = coalesce(n.seen_at, now())
  where n.receiver_id = private.uid() and n.is_ready and n.read_at is null
$$;

create function public.mark_all_notifications_as_seen() returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set seen_at = now()
  where n.receiver_id = private.uid() and n.is_ready and n.seen_at is null
$$;

grant execute on function
  public.mark_notification_read(uuid),
  public.mark_all_notifications_as_read(),
  public.mark_all_notifications_as_seen()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('notifications: one year', 50, $$delete from public.notifications n where n.created_at < now() - interval '1 year'$$);

insert into private.exports (relation, part, statement) values
  ('public.notifications', 'notifications', $$select n.created_at, n.id::text, to_jsonb(n) - array['receiver_id', 'sender_id']
    from public.notifications n where n.receiver_id = $1 and n.is_ready$$);

insert into private.exports (relation, part, is_list, statement) values
  ('public.notifications_preferences', 'notification_preferences', false,
    $$select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = $1$$);

-- push_subscriptions.sql
-- Browsers that pushes go to, each with the keys that they are encrypted for.

create table private.push_subscriptions (
  -- In bytes: a longer one would not fit into the key of a job, and fail all who are told something together with its owner.
  endpoint text primary key check (octet_length(endpoint) <= 2000 and endpoint ~ '^https://([a-z0-9-]+[.])+[a-z]{2,}/[!-~]*$'),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references public.users (id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete cascade,
  time_zone text check (time_zone is null or timestamptz 'epoch' at time zone time_zone is not null),
  updated_at timestamptz not null default now()
);
comment on table private.push_subscriptions is 'Owned by the user who registered it last; gone with the session that did.';
comment on column private.push_subscriptions.time_zone is 'The browser''s, for quiet hours; without it there are none.';
alter table private.push_subscriptions enable row level security;

create index push_subscriptions_user_id on private.push_subscriptions (user_id);
create index push_subscriptions_session_id on private.push_subscriptions (session_id);

create function public.subscribe_to_push(p_subscription jsonb, p_time_zone text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  insert into private.push_subscriptions (endpoint, p256dh, auth, user_id, session_id, time_zone)
  values (p_subscription ->> 'endpoint', p_subscription #>> '{keys,p256dh}', p_subscription #>> '{keys,auth}', me,
    (auth.jwt() ->> 'session_id')::uuid, p_time_zone)
  on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, user_id = excluded.user_id,
    session_id = excluded.session_id, time_zone = excluded.time_zone, updated_at = now();
  -- The ten that came last.
  delete from private.push_subscriptions s where s.user_id = me and s.endpoint not in (
    select l.endpoint from private.push_subscriptions l where l.user_id = me order by l.updated_at desc, l.endpoint limit 10);
end
$$;
comment on function public.subscribe_to_push is
  'The caller''s browser gets pushes from now on, as its PushSubscription says: endpoint, keys.p256dh, keys.auth.';

grant execute on function public.subscribe_to_push(jsonb, text) to authenticated;

insert into private.retention (name, statement) values
  ('push subscriptions: half a year after the app was last open in that browser', $$delete from private.push_subscriptions s
    where s.updated_at < now() - interval '180 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.push_subscriptions', 'push_subscriptions', $$select s.updated_at, s.endpoint, to_jsonb(s) - array['user_id', 'auth']
    from private.push_subscriptions s where s.user_id = $1$$);

-- push.sql
-- Pushes: the phones and browsers they go to; each push is a job of the kind send-push.

create type public.device_platform as enum ('android', 'ios');

-- Gone with its session: after logging out everywhere, or changing the password of a lost phone, no push arrives there.
create table public.device_tokens (
  device_id text primary key check (char_length(device_id) between 8 and 200),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete cascade,
  platform public.device_platform not null,
  token text not null check (char_length(token) between 8 and 4096),
  time_zone text check (time_zone is null or timestamptz 'epoch' at time zone time_zone is not null),
  updated_at timestamptz not null default now()
);
comment on table public.device_tokens is 'Where pushes go to phones: one row per device, owned by the user who registered it last.';
comment on column public.device_tokens.time_zone is 'The device''s, for quiet hours; without it there are none.';
alter table public.device_tokens enable row level security;

grant select, insert, update, delete on public.device_tokens to authenticated;

create index device_tokens_user_id on public.device_tokens (user_id);
create index device_tokens_session_id on public.device_tokens (session_id);
create index device_tokens_token on public.device_tokens using hash (token);

create function private.reassign_device_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A device with a new user, or a token that moved to a new device id, belongs to the user who registers it now.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  new.session_id := (auth.jwt() ->> 'session_id')::uuid;
  return new;
end
$$;
create trigger reassign_device_token before insert or update on public.device_tokens
  for each row execute function private.reassign_device_token();

-- The ten devices that registered last: otherwise one request could register ten thousand.
create function private.limit_devices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.device_tokens d using (
    select t.device_id, row_number() over (partition by t.user_id order by t.updated_at desc, t.device_id) as place
    from public.device_tokens t where t.user_id in (select i.user_id from inserted i)
  ) ranked
  where ranked.device_id = d.device_id and ranked.place > 10;
  return null;
end
$$;
create trigger limit_devices after insert on public.device_tokens
  referencing new table as inserted for each statement execute function private.limit_devices();

create view private.push_targets as
  select 'send-push' as kind, d.device_id as target, d.user_id, d.time_zone, d.token, null as p256dh, null as auth
  from public.device_tokens d
  union all
  select 'send-web-push', s.endpoint, s.user_id, s.time_zone, s.endpoint, s.p256dh, s.auth from private.push_subscriptions s;
comment on view private.push_targets is 'Where pushes go, by the kind of job that sends them.';

create function private.push_until(n public.notifications) returns timestamptz
language sql stable set search_path = '' as $$
  select least(n.created_at + k.push_lives,
    case when n.type in ('parkInvite', 'parkInviteResponse') then (n.data ->> 'meet_at')::timestamptz end,
    (n.data ->> 'until')::timestamptz)
  from private.notification_kinds k where k.kind = n.type
$$;
comment on function private.push_until is 'Until when what a push says is still true.';

create function private.is_push_urgent(n public.notifications) returns boolean
language sql stable set search_path = '' as $$
  select n.type = 'hazard' and exists (
    select from private.present x where x.user_id = n.receiver_id and x.park_id = (n.data ->> 'park_id')::bigint)
$$;
comment on function private.is_push_urgent is 'Of a hazard at the park where the receiver is.';

create function private.push_due(p_time_zone text, p_from integer, p_to integer, p_at timestamptz default now()) returns timestamptz
language sql stable set search_path = '' as $$
  select case when case when p_from <= p_to then hour >= p_from and hour < p_to else hour >= p_from or hour < p_to end
    then (date_trunc('day', clock) + make_interval(days => (hour >= p_to)::integer, hours => p_to)) at time zone p_time_zone
    else p_at end
  from (select p_at at time zone p_time_zone as clock) l cross join lateral extract(hour from l.clock) hour
$$;
comment on function private.push_due is
  'A moment, or the end of the quiet hours; from and to are hours of a day, the same twice for none. Without a time zone the moment.';

create function private.queue_pushes(n public.notifications) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job(t.kind, n.id || ' ' || t.target,
    jsonb_build_object('notification_id', n.id, 'target', t.target), n.receiver_id, '2 days',
    case when private.is_push_urgent(n) then now()
      else private.push_due(t.time_zone, coalesce(p.quiet_from, 22), coalesce(p.quiet_to, 7)) end)
  from private.push_targets t left join public.notifications_preferences p on p.user_id = t.user_id
  where t.user_id = n.receiver_id
$$;

create policy "users see their own devices" on public.device_tokens for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users register their own devices" on public.device_tokens for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users update their own devices" on public.device_tokens for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "users remove their own devices" on public.device_tokens for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.device_tokens as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.api_cleanup_device_tokens(p_device_id text) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.device_tokens d where d.device_id = p_device_id and d.user_id = private.uid()
$$;

create function public.claim_pushes(p_limit integer default 50, p_lease_seconds integer default 60, p_kind text default 'send-push')
returns table (
  id bigint, lease uuid, token text, p256dh text, auth text,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb,
  language public.language, unseen integer, seconds integer, urgent boolean, topic text
)
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[];
begin
  if p_kind is null or p_kind not in ('send-push', 'send-web-push') then
    perform private.fail('invalid_input', 'Pushes are send-push or send-web-push.');
  end if;
  -- Seen in the app meanwhile, no longer true, or the device is gone or has another user now: nothing to push.
  delete from private.jobs j where j.kind = p_kind and j.failed_at is null and j.due_at <= now() and not exists (
    select from public.notifications n
    join private.push_targets t on t.kind = p_kind and t.target = j.payload ->> 'target' and t.user_id = n.receiver_id
    where n.id = (j.payload ->> 'notification_id')::uuid and n.seen_at is null and private.push_until(n) > now());
  -- By a statement of its own: the next one sees what was stored together with a job that has just come.
  claimed := array(select c.id from private.claim_jobs(p_kind, p_limit, p_lease_seconds) c);
  return query
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select j.id, j.lease, t.token, t.p256dh, t.auth, n.id, n.type, n.title,
      -- To a browser it goes encrypted.
      case p_kind when 'send-web-push' then n.app_message else n.push_message end,
      case when n.type in ('friendThere', 'friendComing') and p_kind = 'send-push' then '{}'
        else jsonb_strip_nulls(n.data || jsonb_build_object('sender_id', n.sender_id)) end,
      u.language,
      (select count(*)::integer from public.notifications x where x.receiver_id = n.receiver_id and x.is_ready and x.seen_at is null),
      greatest(1, extract(epoch from private.push_until(n) - now()))::integer, private.is_push_urgent(n),
      -- The newest of the same replaces the older one.
      md5(case n.type when 'friendComing' then 'friendThere' else n.type end
        || coalesce(n.data ->> 'park_id', '') || coalesce(n.sender_id::text, ''))
    from private.jobs j
    join public.notifications n on n.id = (j.payload ->> 'notification_id')::uuid
    join private.push_targets t on t.kind = p_kind and t.target = j.payload ->> 'target'
    join public.users u on u.id = n.receiver_id
    where j.id = any (claimed)
    order by j.id;
end
$$;
comment on function public.claim_pushes is
  'Leases due pushes of a kind to one sender: send-push for Firebase, send-web-push for browsers; seconds is how long one may wait. Send '
  'with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

create function public.finish_push(p_id bigint, p_lease uuid, p_result text, p_retry_seconds integer default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_result = 'retry' then
    perform private.finish_job(p_id, p_lease, 'The push service did not take it', p_retry_seconds);
  elsif p_result = 'failed' then
    perform private.finish_job(p_id, p_lease, 'The push service refuses this push', null, true);
  elsif p_result in ('sent', 'dead_token') then
    if p_result = 'dead_token' then
      delete from public.device_tokens d using private.jobs j
      where j.id = p_id and j.lease = p_lease and j.kind = 'send-push' and d.device_id = j.payload ->> 'target';
      delete from private.push_subscriptions s using private.jobs j
      where j.id = p_id and j.lease = p_lease and j.kind = 'send-web-push' and s.endpoint = j.payload ->> 'target';
    end if;
    perform private.finish_job(p_id, p_lease);
  else
    perform private.fail('invalid_input', 'A push ends as sent, failed, dead_token or retry.');
  end if;
end
$$;
comment on function public.finish_push is
  'What became of a leased push: sent, failed (a dead letter), dead_token (the device is forgotten) or retry (until the push is two days '
  'old).';

grant execute on function public.api_cleanup_device_tokens(text) to authenticated;

grant execute on function
  public.claim_pushes(integer, integer, text),
  public.finish_push(bigint, uuid, text, integer)
to service_role;

insert into private.exports (relation, part, statement) values
  ('public.device_tokens', 'devices',
    $$select d.updated_at, d.device_id::text, jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)
    from public.device_tokens d where d.user_id = $1$$);

-- dog_people.sql
-- The people of a dog beside its owner: keepers, who do all but remove, hand over and delete, and walkers, who take it to parks
-- until a day. They come by a link of one use, which the owner confirms.

create type public.dog_role as enum ('keeper', 'walker');

create table private.dog_people (
  dog_id uuid not null references public.dogs (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  role public.dog_role not null,
  ends_at timestamptz,
  takes_over boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (dog_id, user_id),
  check ((role = 'walker') = (ends_at is not null)),
  check (not takes_over or role = 'keeper')
);
comment on table private.dog_people is 'Keepers and walkers of a dog; its owner is in dogs alone.';
comment on column private.dog_people.takes_over is 'Said by the keeper: the dog may be handed to them, also with the owner''s account.';
alter table private.dog_people enable row level security;

create table private.dog_invites (
  id uuid primary key default gen_random_uuid(),
  dog_id uuid not null references public.dogs (id) on delete cascade,
  role public.dog_role not null,
  ends_at timestamptz,
  secret_hash bytea not null unique,
  asked_by uuid references public.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  check ((role = 'walker') = (ends_at is not null))
);
comment on table private.dog_invites is
  'Links to become one of a dog''s people, for 24 hours. Of the secret in the address only the SHA-256 is stored.';
comment on column private.dog_invites.asked_by is 'Who opened it first and asked: nobody else can any more, and the owner confirms.';
alter table private.dog_invites enable row level security;

create index on private.dog_people (user_id);
create index on private.dog_invites (dog_id);
create index on private.dog_invites (asked_by);

create function private.most_dog_people() returns integer language sql immutable set search_path = '' as $$ select 10 $$;
comment on function private.most_dog_people is 'People of a dog beside its owner, and its links that wait.';

create function private.kept_dog_ids(p_role public.dog_role default null) returns setof uuid
language sql stable security definer set search_path = '' rows 3 as $$
  select p.dog_id from private.dog_people p
  where p.user_id = (select private.uid()) and (p.ends_at is null or p.ends_at > now()) and (p_role is null or p.role = p_role)
$$;
comment on function private.kept_dog_ids is 'The dogs that the caller keeps or walks, without their own.';

create function private.require_own_dog(p_dog_id uuid) returns public.dogs
language plpgsql stable security definer set search_path = '' as $$
declare
  dog public.dogs;
begin
  select * into dog from public.dogs d where d.id = p_dog_id and d.owner = private.require_age() and d.deleted_at is null;
  if dog.id is null then
    perform private.fail('dog_not_found', 'You own no such dog.');
  end if;
  return dog;
end
$$;

create function private.leave_visits(p_dog_id uuid, p_user_id uuid default null, p_except uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.check_in_dogs x using public.check_ins c
    where x.dog_id = p_dog_id and c.id = x.check_in_id and c.ended_at is null and c.id is distinct from p_except
      and (p_user_id is null or c.user_id = p_user_id)
    returning c.id
  )
  update public.check_ins c set dog_count = c.dog_count - 1, changed_at = clock_timestamp() from gone where c.id = gone.id
$$;
comment on function private.leave_visits is 'Takes a dog out of the visits that are under way, of one person or of all, but for one visit.';

create function private.hand_over(p_dog_id uuid, p_to uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  former uuid := (select d.owner from public.dogs d where d.id = p_dog_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || p_to, 0));
  if (select count(*) from public.dogs d where d.owner = p_to and d.deleted_at is null) >= private.most_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.most_dogs()));
  end if;
  update public.dogs d set owner = p_to where d.id = p_dog_id;
  delete from private.dog_people p where p.dog_id = p_dog_id and (p.user_id = p_to or exists (
    select from public.blocks b where (b.blocker, b.blocked) in ((p_to, p.user_id), (p.user_id, p_to))));
  delete from private.dog_invites i where i.dog_id = p_dog_id;
  -- Only storage can move files.
  perform private.add_job('move-photo', o.name, jsonb_build_object('path', o.name, 'dog_id', p_dog_id), null, '7 days')
  from storage.objects o
  where o.bucket_id = 'users' and o.name >= former || '/dogs/' || p_dog_id || '/' and o.name < former || '/dogs/' || p_dog_id || '0';
  perform private.tell_of_dog(p_dog_id, 'handedOver', null, p_to);
end
$$;
comment on function private.hand_over is 'Makes one of a dog''s keepers its owner; its photos follow into their folder.';

create function private.tell_of_dog(p_dog_id uuid, p_event text, p_sender uuid, p_receiver uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify('dogPeople', p_sender, p_receiver,
    jsonb_build_object('dog_id', d.id, 'owner_id', p_receiver, 'dog', d.name, 'event', p_event))
  from public.dogs d where d.id = p_dog_id
$$;

create function private.hand_over_all(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  heir record;
begin
  for heir in
    select distinct on (d.id) d.id as dog_id, p.user_id
    from public.dogs d join private.dog_people p on p.dog_id = d.id and p.takes_over
    join auth.users a on a.id = p.user_id and (a.banned_until is null or a.banned_until <= now())
    where d.owner = p_user_id and d.deleted_at is null
      and (select count(*) from public.dogs o where o.owner = p.user_id and o.deleted_at is null) < private.most_dogs()
    order by d.id, p.created_at, p.user_id
  loop
    begin
      perform private.hand_over(heir.dog_id, heir.user_id);
    exception when raise_exception then
      -- No room any more: it goes with the account.
      null;
    end;
  end loop;
  perform private.leave_visits(d.id) from public.dogs d where d.owner = p_user_id;
end
$$;
comment on function private.hand_over_all is
  'Gives each dog of somebody who leaves to the oldest of its keepers who said that they take it over; the others are deleted.';

grant execute on function private.kept_dog_ids(public.dog_role) to authenticated;

create function private.end_dog_people_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.dog_people p using public.dogs d
  where d.id = p.dog_id and (d.owner, p.user_id) in ((new.blocker, new.blocked), (new.blocked, new.blocker));
  delete from private.dog_invites i using public.dogs d
  where d.id = i.dog_id and (d.owner, i.asked_by) in ((new.blocker, new.blocked), (new.blocked, new.blocker));
  return null;
end
$$;
create trigger end_dog_people_on_block after insert on public.blocks for each row execute function private.end_dog_people_on_block();

create function private.leave_dog() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Their own dog goes with them once it was handed to them.
  if not exists (select from public.dogs d where d.id = old.dog_id and d.owner = old.user_id) then
    perform private.leave_visits(old.dog_id, old.user_id);
  end if;
  return null;
end
$$;
create trigger leave_dog after delete on private.dog_people for each row execute function private.leave_dog();

create policy "dogs are seen by their people" on public.dogs for select to authenticated
  using (deleted_at is null and id in (select private.kept_dog_ids()));
create policy "keepers change dogs" on public.dogs for update to authenticated
  using (deleted_at is null and id in (select private.kept_dog_ids('keeper')))
  with check (id in (select private.kept_dog_ids('keeper')));

create function public.make_dog_invite(p_dog_id uuid, p_role public.dog_role, p_ends_at timestamptz default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  dog public.dogs := private.require_own_dog(p_dog_id);
  secret text := replace(gen_random_uuid()::text, '-', '');
begin
  if p_role is null or (p_role = 'walker') <> (p_ends_at is not null)
    or p_ends_at not between now() and now() + interval '1 year' then
    perform private.fail('invalid_input', 'A walker has an end within a year, a keeper has none.');
  end if;
  perform private.limit_action(dog.owner, 'make_dog_invite');
  perform from public.dogs d where d.id = dog.id for no key update;
  if (select count(*) from private.dog_people p where p.dog_id = dog.id)
    + (select count(*) from private.dog_invites i where i.dog_id = dog.id and i.created_at > now() - interval '24 hours')
    >= private.most_dog_people() then
    perform private.fail('too_many', format('A dog has at most %s people.', private.most_dog_people()));
  end if;
  insert into private.dog_invites (dog_id, role, ends_at, secret_hash)
  values (dog.id, p_role, p_ends_at, sha256(convert_to(secret, 'utf8')));
  return secret;
end
$$;
comment on function public.make_dog_invite is 'The secret of a link, 32 hexadecimal digits, told this once.';

create function public.dog_invite(p_secret text, p_ask boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  invite private.dog_invites;
  dog public.dogs;
begin
  perform private.limit_rate('dog_invite', 60, '1 hour');
  if p_ask then
    me := private.require_age();
  end if;
  select i.* into invite from private.dog_invites i
  where i.secret_hash = sha256(convert_to(p_secret, 'utf8')) and i.created_at > now() - interval '24 hours'
    and coalesce(i.ends_at > now(), true);
  select * into dog from public.dogs d where d.id = invite.dog_id and d.owner <> me and d.deleted_at is null;
  perform private.lock_pair(dog.owner);
  if dog.id is null or private.is_blocked_with(dog.owner)
    or exists (select from private.dog_people p where p.dog_id = dog.id and p.user_id = me and p.role = 'keeper') then
    return null;
  end if;
  if p_ask and invite.asked_by is null then
    update private.dog_invites i set asked_by = me where i.id = invite.id and i.asked_by is null returning i.* into invite;
    perform private.tell_of_dog(dog.id, 'asked', me, dog.owner) where invite.id is not null;
  end if;
  return (
    select jsonb_build_object('dog', dog.name, 'role', invite.role, 'ends_at', invite.ends_at, 'owner', u.name,
      'asked', invite.asked_by is not null)
    from public.users u where u.id = dog.owner and coalesce(invite.asked_by, me) = me and invite.id is not null);
end
$$;
comment on function public.dog_invite is
  'What a link offers, and with p_ask the caller asks the owner to confirm: {dog, owner, role, ends_at, asked}. Null where it offers the '
  'caller nothing: unknown, too old, used by another person, of their own dog, or of somebody with a block between them.';

create function public.answer_dog_invite(p_invite_id uuid, p_accept boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  invite private.dog_invites;
begin
  select i.* into invite from private.dog_invites i join public.dogs d on d.id = i.dog_id and d.owner = me
  where i.id = p_invite_id;
  perform private.lock_pair(invite.asked_by);
  delete from private.dog_invites i where i.id = invite.id returning * into invite;
  if p_accept then
    if invite.asked_by is null then
      perform private.fail('invite_not_found', 'This invite is gone.');
    elsif (
      select count(*) from private.dog_people p join public.dogs d on d.id = p.dog_id and d.deleted_at is null
      where p.user_id = invite.asked_by
    ) >= private.most_dogs() then
      perform private.fail('too_many', format('A person has room for %s dogs of others.', private.most_dogs()));
    end if;
    insert into private.dog_people as p (dog_id, user_id, role, ends_at)
    values (invite.dog_id, invite.asked_by, invite.role, invite.ends_at)
    on conflict (dog_id, user_id) do update set role = excluded.role, ends_at = excluded.ends_at
    where p.role = 'walker';
    perform private.tell_of_dog(invite.dog_id, 'confirmed', me, invite.asked_by);
  end if;
end
$$;
comment on function public.answer_dog_invite is 'The owner confirms who asked, or withdraws the link, also one that nobody has opened.';

create function public.end_dog_person(p_dog_id uuid, p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.dog_people p using public.dogs d
  where p.dog_id = p_dog_id and p.user_id = p_user_id and d.id = p.dog_id and private.require_user() in (p.user_id, d.owner)
$$;
comment on function public.end_dog_person is 'Somebody leaves a dog, or its owner removes them.';

create function public.offer_to_take_over(p_dog_id uuid, p_offer boolean) returns void
language sql volatile security definer set search_path = '' as $$
  update private.dog_people p set takes_over = p_offer
  where p.dog_id = p_dog_id and p.user_id = private.require_user() and p.role = 'keeper'
$$;
comment on function public.offer_to_take_over is 'A keeper says whether the dog may be handed to them.';

create function public.hand_over_dog(p_dog_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  dog public.dogs := private.require_own_dog(p_dog_id);
begin
  perform private.lock_pair(p_user_id);
  perform from private.dog_people p where p.dog_id = dog.id and p.user_id = p_user_id and p.takes_over for update;
  if not found then
    perform private.fail('invalid_input', 'A dog is handed to a keeper who offered to take it over.');
  end if;
  perform private.hand_over(dog.id, p_user_id);
  insert into private.dog_people (dog_id, user_id, role) values (dog.id, dog.owner, 'keeper');
end
$$;
comment on function public.hand_over_dog is 'Makes a keeper who offered it the owner, and the caller a keeper.';

create function public.dog_people(p_dog_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id),
  dog as (
    select d.id, d.owner, d.owner = me.id as mine, (
      select p.role from private.dog_people p
      where p.dog_id = d.id and p.user_id = me.id and (p.ends_at is null or p.ends_at > now())) as role
    from me join public.dogs d on d.id = p_dog_id and d.deleted_at is null
  )
  select jsonb_build_object(
    'role', d.role, 'owner', jsonb_build_object('id', o.id, 'name', o.name, 'picture', o.picture),
    'people', (
      select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'role', p.role,
        'ends_at', p.ends_at, 'takes_over', p.takes_over) order by p.role, p.created_at, u.id), '[]')
      from private.dog_people p join public.users u on u.id = p.user_id
      where p.dog_id = d.id and (p.ends_at is null or p.ends_at > now())
        and (u.id = (select id from me) or d.mine or (d.role = 'keeper' and u.id not in (select private.blocked_ids())))),
    'invites', (
      select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'role', i.role, 'ends_at', i.ends_at,
        'asked_by', u.name, 'picture', u.picture) order by i.created_at, i.id), '[]')
      from private.dog_invites i left join public.users u on u.id = i.asked_by
      where i.dog_id = d.id and d.mine and i.created_at > now() - interval '24 hours'))
  from dog d join public.users o on o.id = d.owner
  where d.mine or d.role is not null
$$;
comment on function public.dog_people is
  'The people of a dog: {role: the caller''s, null of the owner, owner: {id, name, picture}, people: [{id, name, picture, role, ends_at, '
  'takes_over}], invites: [{id, role, ends_at, asked_by, picture}]}. A walker reads of the owner and themself, invites are for the owner; '
  'null for others.';

create function public.kept_dogs() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(d) - array['created_at', 'deleted_at']
    || jsonb_build_object('role', p.role, 'ends_at', p.ends_at)
    order by p.created_at, d.id), '[]')
  from private.kept_dog_ids() k (id) join public.dogs d on d.id = k.id and d.deleted_at is null
  join private.dog_people p on p.dog_id = d.id and p.user_id = (select private.uid())
$$;
comment on function public.kept_dogs is 'The dogs of others that the caller keeps or walks, as dogs has them, with role and ends_at.';

grant execute on function
  public.make_dog_invite(uuid, public.dog_role, timestamptz),
  public.dog_invite(text, boolean),
  public.answer_dog_invite(uuid, boolean),
  public.end_dog_person(uuid, uuid),
  public.offer_to_take_over(uuid, boolean),
  public.hand_over_dog(uuid, uuid),
  public.dog_people(uuid),
  public.kept_dogs()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('walkers: until their end', 50, $$delete from private.dog_people p where p.ends_at < now()$$),
  ('invites to a dog: 24 hours', 50, $$delete from private.dog_invites i where i.created_at < now() - interval '24 hours'$$);

insert into private.exports (relation, part, statement) values
  ('private.dog_people', 'dog_people', $$select p.created_at, p.dog_id || ' ' || p.user_id, jsonb_build_object('dog', d.name,
      'name', case when d.owner = $1 then u.name else o.name end, 'of_my_dog', d.owner = $1, 'role', p.role, 'ends_at', p.ends_at,
      'takes_over', p.takes_over, 'since', p.created_at)
    from private.dog_people p join public.dogs d on d.id = p.dog_id and d.deleted_at is null
    join public.users u on u.id = p.user_id join public.users o on o.id = d.owner
    where $1 in (p.user_id, d.owner)$$),
  ('private.dog_invites', 'dog_invites', $$select i.created_at, i.id::text, jsonb_build_object('dog', d.name, 'role', i.role,
      'ends_at', i.ends_at, 'made_by_me', d.owner = $1, 'asked', i.asked_by is not null, 'created_at', i.created_at)
    from private.dog_invites i join public.dogs d on d.id = i.dog_id where $1 in (i.asked_by, d.owner)$$);

-- pack_times.sql
-- Pack times: meetings that repeat weekly at a park, open to all. private.meetings_of (park_invites.sql) lists them with other meetings.

create table private.pack_times (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  host_id uuid references public.users (id) on delete set null,
  weekday smallint not null check (weekday between 0 and 6),
  starts time not null check (extract(epoch from starts)::integer % 900 = 0),
  created_at timestamptz not null default now(),
  hidden_at timestamptz,
  unique (park_id, weekday, starts)
);
comment on table private.pack_times is 'One for a park, weekday (0 is Sunday) and time: who makes the same one joins it.';
comment on column private.pack_times.host_id is 'Who made it; told to their friends alone.';
comment on column private.pack_times.hidden_at is 'When a moderator hid it.';
alter table private.pack_times enable row level security;

create table private.pack_time_members (
  pack_time_id uuid not null references private.pack_times (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  joined_at timestamptz not null default now(),
  skipped timestamptz,
  primary key (pack_time_id, user_id)
);
comment on table private.pack_time_members is 'Who comes each week.';
comment on column private.pack_time_members.skipped is 'The one time that they do not come.';
alter table private.pack_time_members enable row level security;

create index on private.pack_times (host_id);
create index on private.pack_time_members (user_id);

-- No search_path of its own, so that PostgreSQL inlines it.
create function private.is_meeting_open(p_meet_at timestamptz) returns boolean
language sql stable as $$
  select p_meet_at > now() - interval '4 hours'
$$;
comment on function private.is_meeting_open is
  'Whether a meeting is still ahead or may be going on: until then invites are listed and answered.';

create function private.pack_moments(p_pack_time private.pack_times, p_since timestamptz) returns setof timestamptz
language sql stable as $$
  select m from generate_series(private.park_day(p_since), private.park_day() + 7, '1 day') d
  cross join lateral (select (d::date + p_pack_time.starts) at time zone private.time_zone() as m) moment
  where extract(dow from d) = p_pack_time.weekday and m > p_since
$$;
comment on function private.pack_moments is 'When it is: each time since a moment, up to the next one.';

create function private.next_pack_moment(p_pack_time private.pack_times) returns timestamptz
language sql stable as $$
  select min(m) from private.pack_moments(p_pack_time, now() - interval '1 day') m where private.is_meeting_open(m)
$$;

create function private.pack_visits(p_pack_time private.pack_times) returns table (meet_at timestamptz, user_id uuid, dogs integer)
language sql stable security definer set search_path = '' as $$
  select m, c.user_id, max(c.dog_count)::integer
  from private.pack_moments(p_pack_time, private.day_start(now() - interval '28 days')) m
  join private.pack_time_members g on g.pack_time_id = p_pack_time.id
  join public.check_ins c on c.user_id = g.user_id and c.park_id = p_pack_time.park_id and c.counted
    and c.started_at < least(now(), m + interval '1 hour') and coalesce(c.ended_at, c.expires_at) > m - interval '15 minutes'
  group by 1, 2
$$;
comment on function private.pack_visits is 'Which of its people were there in the last four weeks, each time, with how many dogs.';

create function private.sees_pack_time(p_pack_time private.pack_times) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_pack_time.hidden_at is null and not private.is_blocked_with(p_pack_time.host_id) and (
    exists (
      select from private.pack_time_members g join public.users u on u.id = g.user_id
      where g.pack_time_id = p_pack_time.id and (u.id = private.uid() or (not u.hidden and private.is_friend(u.id))))
    or 3 <= (select count(*) from private.pack_time_members g where g.pack_time_id = p_pack_time.id and private.is_regular(g.user_id)))
$$;
comment on function private.sees_pack_time is
  'Whether the caller reads of it: who comes, friends of those, and everybody once three regulars come, so that no new accounts do.';

create function private.require_pack_time(p_pack_time_id uuid) returns private.pack_times
language plpgsql stable security definer set search_path = '' as $$
declare
  pack private.pack_times;
begin
  select * into pack from private.pack_times t where t.id = p_pack_time_id;
  if pack.id is null or not private.sees_pack_time(pack) then
    perform private.fail('pack_time_not_found', 'This weekly meeting is gone.');
  end if;
  return pack;
end
$$;

create function public.make_pack_time(p_park_id bigint, p_weekday integer, p_starts time) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  pack private.pack_times;
begin
  perform private.require_park(p_park_id);
  if p_weekday is null or p_weekday not between 0 and 6 or p_starts is null
    or extract(epoch from p_starts)::integer % 900 <> 0 then
    perform private.fail('invalid_input', 'Name a weekday from 0 (Sunday) to 6 and a quarter of an hour.');
  elsif not private.is_regular(me) then
    perform private.fail('regulars_only', 'Check in at parks on two days first.');
  end if;
  perform private.limit_action(me, 'make_pack_time');
  insert into private.pack_times (park_id, host_id, weekday, starts) values (p_park_id, me, p_weekday, p_starts)
  on conflict do nothing;
  select * into strict pack from private.pack_times t
  where t.park_id = p_park_id and t.weekday = p_weekday and t.starts = p_starts;
  if pack.hidden_at is not null then
    perform private.fail('pack_time_not_found', 'A moderator hid this weekly meeting.');
  end if;
  insert into private.pack_time_members (pack_time_id, user_id) values (pack.id, me) on conflict do nothing;
  return pack.id;
end
$$;
comment on function public.make_pack_time is 'The id of the weekly meeting, joined; of the one that is there already, if there is.';

create function public.answer_pack_time(p_pack_time_id uuid, p_comes boolean, p_skip timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
begin
  if p_comes then
    perform private.require_pack_time(p_pack_time_id);
    perform private.refuse_limited(me);
    perform private.limit_rate('answer_pack_time', 50, '1 day');
    insert into private.pack_time_members as g (pack_time_id, user_id) values (p_pack_time_id, me)
    on conflict (pack_time_id, user_id) do update set skipped = null;
  elsif p_skip is not null then
    update private.pack_time_members g set skipped = p_skip where g.pack_time_id = p_pack_time_id and g.user_id = me;
  else
    delete from private.pack_time_members g where g.pack_time_id = p_pack_time_id and g.user_id = me;
  end if;
end
$$;
comment on function public.answer_pack_time is
  'Comes each week from now on, and next time; does not come at the time p_skip; or, with neither, comes no more. Safe to call again.';

create function public.park_pack_times(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'weekday', t.weekday, 'starts', to_char(t.starts, 'HH24:MI'),
    'meet_at', private.next_pack_moment(t), 'dogs', usual.dogs, 'joined', mine.user_id is not null,
    'skips', coalesce(mine.skipped = private.next_pack_moment(t), false), 'friends', coalesce(g.friends, '[]'))
    order by t.weekday, t.starts), '[]')
  from private.pack_times t
  left join private.pack_time_members mine on mine.pack_time_id = t.id and mine.user_id = private.uid()
  left join lateral (
    -- Of those who are there now it would tell which of them come each week, and of fewer people what one of them does.
    with visits as (
      select v.* from private.pack_visits(t) v where not private.is_meeting_open(v.meet_at) and private.is_regular(v.user_id)
    )
    select round(avg(w.dogs))::integer as dogs
    from (select sum(v.dogs) as dogs from visits v group by v.meet_at) w
    where (select count(distinct v.user_id) from visits v) >= 3
  ) usual on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'made_it', u.id is not distinct from t.host_id)
      order by u.name, u.id) as friends
    from private.pack_time_members o join public.users u on u.id = o.user_id and not u.hidden and private.is_friend(u.id)
    where o.pack_time_id = t.id
  ) g on true
  where t.park_id = p_park_id and private.sees_pack_time(t)
$$;
comment on function public.park_pack_times is
  'The weekly meetings at a park that the caller reads of: [{id, weekday, starts, meet_at, dogs, joined, skips, friends: [{id, name, '
  'picture, made_it}]}]; dogs is what is usual, null while fewer than three regulars were there.';

grant execute on function public.park_pack_times(bigint) to anon, authenticated;

grant execute on function
  public.make_pack_time(bigint, integer, time),
  public.answer_pack_time(uuid, boolean, timestamptz)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('pack times: four weeks that nobody came', 50, $$delete from private.pack_times t
    where private.park_day(t.created_at) < private.park_day() - 28 and not exists (select from private.pack_visits(t))$$);

insert into private.exports (relation, part, statement) values
  ('private.pack_time_members', 'pack_times',
    $$select g.joined_at, g.pack_time_id::text, jsonb_build_object('park', private.park_name(t.park_id, $2), 'weekday', t.weekday,
      'starts', t.starts, 'made_by_me', t.host_id is not distinct from $1, 'joined_at', g.joined_at, 'skipped', g.skipped)
    from private.pack_time_members g join private.pack_times t on t.id = g.pack_time_id where g.user_id = $1$$),
  ('private.pack_times', 'pack_times', null);

-- park_invites.sql
-- Park invites: friends are asked to meet at a park at a time, and answer, or answer anew, until it is over.

create type public.invite_status as enum ('pending', 'accepted', 'declined');

create table public.park_invites (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  sender_id uuid not null references public.users (id) on delete cascade,
  receiver_id uuid not null references public.users (id) on delete cascade,
  meet_at timestamptz not null,
  status public.invite_status not null default 'pending',
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check (sender_id <> receiver_id),
  -- In this order it finds the guests of a meeting, too.
  unique (sender_id, park_id, meet_at, receiver_id)
);
comment on table public.park_invites is 'Invites; seen by sender and receiver.';
comment on column public.park_invites.changed_at is 'When it was answered, or answered anew; before, when it was made.';
alter table public.park_invites enable row level security;

grant select on public.park_invites to authenticated;

create index on public.park_invites (receiver_id);
create index on public.park_invites (park_id);

create function private.notify_of_invite() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify('parkInvite', new.sender_id, new.receiver_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at));
  else
    -- An answer that was changed replaces the earlier one in the list of the inviter.
    delete from public.notifications n
    where n.sender_id = new.receiver_id and n.receiver_id = new.sender_id and n.type = 'parkInviteResponse'
      and n.data ->> 'invite_id' = new.id::text;
    perform private.notify('parkInviteResponse', new.receiver_id, new.sender_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at, 'accepted', new.status = 'accepted'));
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || jsonb_build_object('accepted', new.status = 'accepted')
    where n.sender_id = new.sender_id and n.receiver_id = new.receiver_id and n.type = 'parkInvite'
      and n.data ->> 'invite_id' = new.id::text;
  end if;
  return null;
end
$$;
create trigger notify_of_invite after insert or update of status on public.park_invites
  for each row execute function private.notify_of_invite();

create function private.tell_meeting_of_known_hazards() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.tell_meeting_of_hazard(r.id, new.id, new.meet_at) from private.live_reports r
  where r.park_id = new.park_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now()
    and private.is_meeting_open(new.meet_at);
  return null;
end
$$;
comment on function private.tell_meeting_of_known_hazards is
  'Who agrees to meet where a hazard is known already is told of it when the meeting comes near.';
create trigger tell_meeting_of_known_hazards after update of status, park_id on public.park_invites
  for each row when (new.status = 'accepted') execute function private.tell_meeting_of_known_hazards();

-- Blocking ends a friendship, too.
create function private.withdraw_invites() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.park_invites i
  where (i.sender_id = old.user_low and i.receiver_id = old.user_high) or (i.sender_id = old.user_high and i.receiver_id = old.user_low);
  delete from public.notifications n
  where n.type in ('parkInvite', 'parkInviteResponse')
    and ((n.sender_id = old.user_low and n.receiver_id = old.user_high) or (n.sender_id = old.user_high and n.receiver_id = old.user_low));
  return null;
end
$$;
create trigger withdraw_invites after delete on private.friendships
  for each row when (old.status = 'accepted') execute function private.withdraw_invites();

create function private.meetings_of(p_user_id uuid)
returns table (
  park_id bigint, meet_at timestamptz, host_id uuid, invite_id uuid, status public.invite_status, changed_at timestamptz, pack_time_id uuid
)
language sql stable security definer set search_path = '' rows 10 as $$
  (select i.park_id, i.meet_at, i.sender_id,
    (array_agg(i.id) filter (where i.receiver_id = p_user_id))[1],
    (array_agg(i.status) filter (where i.receiver_id = p_user_id))[1],
    -- Of a meeting of one's own nothing changes when others answer.
    coalesce(max(i.changed_at) filter (where i.receiver_id = p_user_id), min(i.created_at)), null::uuid
  from public.park_invites i
  where (i.sender_id = p_user_id or i.receiver_id = p_user_id) and private.is_meeting_open(i.meet_at)
  group by i.park_id, i.meet_at, i.sender_id
  order by i.meet_at, i.park_id, i.sender_id
  limit 100)
  union all
  select t.park_id, n.meet_at, t.host_id, null, case when g.skipped = n.meet_at then 'declined' else 'accepted' end::public.invite_status,
    g.joined_at, t.id
  from private.pack_time_members g join private.pack_times t on t.id = g.pack_time_id
  cross join lateral (select private.next_pack_moment(t) as meet_at) n
  where g.user_id = p_user_id and t.hidden_at is null
$$;
comment on function private.meetings_of is
  'Meetings to come that somebody hosts (without status) or is invited to, the soonest 100, and the next of each pack time that they '
  'joined.';

create policy "invites are seen by their two sides" on public.park_invites for select to authenticated
  using ((select auth.uid()) in (sender_id, receiver_id));
create policy "nothing before the second factor" on public.park_invites as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.invite_to_park(p_park_id bigint, p_friend_ids uuid[], p_meet_at timestamptz, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'invite_to_park');
begin
  if result is not null then
    return result;
  end if;
  perform private.require_park(p_park_id);
  if coalesce(cardinality(p_friend_ids), 0) not between 1 and 50
    or p_meet_at is null or p_meet_at not between now() - interval '15 minutes' and now() + interval '30 days' then
    perform private.fail('invalid_input', 'Invite 1 to 50 friends, for a time within the next 30 days.');
  end if;
  -- An unfriending or a block under way comes first. All lock pairs in one order, so that no two wait for each other.
  perform private.lock_pair(asked.friend)
  from (select distinct f as friend from unnest(p_friend_ids) f where f is not null order by f) asked;
  perform private.limit_action(me, 'invite_to_park', array(select f from private.friend_ids() f where f = any (p_friend_ids)));
  with made as (
    insert into public.park_invites (park_id, sender_id, receiver_id, meet_at)
    select p_park_id, me, f, p_meet_at from private.friend_ids() f where f = any (p_friend_ids)
    on conflict do nothing
    returning id
  )
  select coalesce(jsonb_agg(id), '[]') into result from made;
  return private.store_idempotent_result(p_key, result);
end
$$;
comment on function public.invite_to_park is 'The ids of the new invites; people who are no friends are left out.';

create function public.respond_to_invite(p_invite_id uuid, p_accept boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  answer public.invite_status := case when p_accept then 'accepted'::public.invite_status else 'declined' end;
  invite public.park_invites;
begin
  select * into invite from public.park_invites i where i.id = p_invite_id and i.receiver_id = me for update;
  if invite.id is null then
    perform private.fail('invite_not_found', 'This invite is gone.');
  elsif invite.status <> answer then
    if not private.is_meeting_open(invite.meet_at) then
      perform private.fail('invite_expired', 'The time of this invite has passed.');
    end if;
    -- Each change of mind is told to the inviter.
    perform private.limit_pair(me, invite.sender_id, 'respond_to_invite', 20, '1 day');
    update public.park_invites i set status = answer, changed_at = now() where i.id = p_invite_id;
  end if;
  return answer;
end
$$;
comment on function public.respond_to_invite is 'The status afterwards; an answer may be changed until the meeting is over.';

create function public.call_off_meeting(p_park_id bigint, p_meet_at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  invite public.park_invites;
  told integer := 0;
begin
  for invite in
    delete from public.park_invites i where i.sender_id = me and i.park_id = p_park_id and i.meet_at = p_meet_at returning i.*
  loop
    delete from public.notifications n
    where n.type in ('parkInvite', 'parkInviteResponse') and n.data ->> 'invite_id' = invite.id::text
      and ((n.sender_id = me and n.receiver_id = invite.receiver_id) or (n.sender_id = invite.receiver_id and n.receiver_id = me));
    if invite.status = 'accepted' and private.is_meeting_open(invite.meet_at) then
      perform private.notify('parkInviteCancelled', me, invite.receiver_id,
        jsonb_build_object('park_id', invite.park_id, 'meet_at', invite.meet_at));
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function public.call_off_meeting is
  'Withdraws the caller''s invites to a park at a time; how many friends wanted to come and are told.';

create function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer, host_picture text, pack_time_id uuid
)
language sql stable security definer set search_path = '' as $$
  -- Asked once: these functions would otherwise run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  )
  select m.park_id, n.name, m.meet_at, h.id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer, h.picture, m.pack_time_id
  from me cross join lateral private.meetings_of(me.id) m
  left join public.users h on h.id = m.host_id
    and (m.pack_time_id is null or h.id = me.id or (not h.hidden and h.id in (select private.friend_ids())))
  left join lateral private.named_park(m.park_id, me.language) n on true
  -- Who comes is presence to be: of people who hide or are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status)
        order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.status is null or (i.status = 'accepted' and not u.hidden and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.status is not null and i.status = 'accepted'
        and (u.hidden or u.id not in (select private.friend_ids())) and u.id not in (select private.blocked_ids())) as more_coming
    from (
      select i.receiver_id as id, i.status from public.park_invites i
      where m.pack_time_id is null and i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at
      union all
      select o.user_id, 'accepted' from private.pack_time_members o
      where o.pack_time_id = m.pack_time_id and o.skipped is distinct from m.meet_at
    ) i join public.users u on u.id = i.id and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id, m.pack_time_id
$$;
comment on function public.my_meetings is
  'The caller''s meetings (private.meetings_of) with who comes; guests: [{id, name, picture, status}].';

grant execute on function
  public.invite_to_park(bigint, uuid[], timestamptz, uuid),
  public.respond_to_invite(uuid, boolean),
  public.call_off_meeting(bigint, timestamptz),
  public.my_meetings()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('invites: 90 days after the meeting', 50, $$delete from public.park_invites i where i.meet_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('public.park_invites', 'invites',
    $$select i.created_at, i.own_id, jsonb_build_object('park', private.park_name(i.park_id, $2), 'meet_at', i.meet_at, 'status',
      i.status,
      'sent_by_me', i.sender_id = $1, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at)
    from (
      select *, x.id::text as own_id from public.park_invites x
      where $1 in (x.sender_id, x.receiver_id)
      order by x.created_at, own_id
    ) i join public.users o on o.id = case when i.sender_id = $1 then i.receiver_id else i.sender_id end$$);

-- arrivals.sql
-- A friend is at a park, or coming: told to friends who may come, where both sides want it, once for a visit, and for no longer than it.

create function private.queue_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.notifications_preferences p where p.user_id = new.user_id and p.friend_there) then
    -- After the toast with its undo; a later undo takes the notification back.
    perform private.add_job('tell-of-arrival', new.id::text, jsonb_build_object('visit_id', new.id), new.user_id, '10 minutes',
      now() + interval '10 seconds');
  end if;
  return null;
end
$$;
create trigger queue_arrival after insert on public.check_ins
  for each row when (new.ended_at is null) execute function private.queue_arrival();

create function private.forget_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where n.type in ('friendThere', 'friendComing') and n.sender_id = old.user_id and n.data ->> 'visit_id' = old.id::text;
  return null;
end
$$;
comment on function private.forget_arrival is 'What was told of a visit goes with it, so that nobody has a history of it.';
create trigger forget_arrival after delete or update of ended_at on public.check_ins
  for each row execute function private.forget_arrival();

create function private.most_arrivals() returns integer language sql immutable set search_path = '' as $$ select 4 $$;
comment on function private.most_arrivals is 'How often a day somebody is told that a friend is at a park, or coming.';

create function private.may_come(p_user_id uuid, p_park_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.favourite_parks f where f.user_id = p_user_id and f.park_id = p_park_id)
    or exists (
      select from public.check_ins c
      where c.user_id = p_user_id and c.park_id = p_park_id and c.started_at > now() - interval '30 days' and c.kind <> 'taken_back')
    or exists (
      select from private.meetings_of(p_user_id) m
      where m.park_id = p_park_id and coalesce(m.status, 'accepted') = 'accepted' and private.park_day(m.meet_at) = private.park_day())
    or exists (
      select from private.present x join public.parks near on near.id = x.park_id join public.parks p on p.id = p_park_id
      where x.user_id = p_user_id
        and private.metres_between(near.lat, near.long, p.lat, p.long) <= 3000)
$$;
comment on function private.may_come is
  'Whether a person is at a park within 3 km, or this one is a favourite, was visited within a month, or is where they meet today.';

create function private.tell_of_arrival(p_visit_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  visit public.check_ins;
  friend uuid;
begin
  select c.* into visit
  from public.check_ins c join public.users u on u.id = c.user_id and not u.hidden
  join public.notifications_preferences p on p.user_id = c.user_id and p.friend_there
  where c.id = p_visit_id and c.ended_at is null and c.expires_at > now();
  for friend in
    select f.id
    from (
      select case when s.user_low = visit.user_id then s.user_high else s.user_low end as id
      from private.friendships s where visit.user_id in (s.user_low, s.user_high) and s.status = 'accepted'
    ) f
    join public.notifications_preferences p on p.user_id = f.id and p.friend_there
    where private.may_come(f.id, visit.park_id)
      and (visit.kind = 'plan' or not exists (select from private.present x where x.user_id = f.id and x.park_id = visit.park_id))
  loop
    if private.count_attempt(friend, 'told_of_arrival', interval '1 day') <= private.most_arrivals() then
      perform private.notify(case visit.kind when 'plan' then 'friendComing' else 'friendThere' end::public.notification_type,
        visit.user_id, friend,
        jsonb_build_object('park_id', visit.park_id, 'visit_id', visit.id, 'until', visit.expires_at));
    end if;
  end loop;
end
$$;

create function private.tell_of_arrivals() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-arrival', 20) loop
    perform private.tell_of_arrival((job.payload ->> 'visit_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_arrivals is
  'Drains the jobs tell-of-arrival: the host does it when they are due, on Supabase pg_cron each minute.';

-- open_data.sql
-- What is published as open data about parks: only what its givers agreed to publish, and nothing about people or presence.

create function private.is_open_licence(p_licence text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_licence ~* '^(odbl|odc[ -]by|pddl|cc0|cc[ -]by([ -]sa)?|ogl|public domain)\M'
    and p_licence !~* '\m((nc|nd)\M|non[ -]?commercial|no[ -]?deriv)', false)
$$;
comment on function private.is_open_licence is
  'Whether everybody may publish again what is under this licence, as an import names it: ODbL, ODC-By, PDDL, CC0, CC BY, CC BY-SA, OGL, '
  'public domain.';

create function public.open_parks() returns table (
  park_id bigint, lat double precision, long double precision, size double precision, materials text[], shade double precision,
  has_facilities boolean, facts jsonb, texts jsonb, by_people text[], source text, source_ref text, licence text, source_date date
)
language sql stable security definer set search_path = '' as $$
  with withheld as (
    select u.park_id, array_agg(distinct u.field) as fields from private.unlicensed_contributions u group by u.park_id
  ), others as (
    -- What a park took over from one that was merged with it is under the licence of that one.
    select f.merged_into as park_id, o.id, o.size, o.materials, o.shade, o.has_facilities
    from public.former_parks f join public.parks o on o.id = f.park_id join public.parks p on p.id = f.merged_into
    where o.source is distinct from 'user' and o.licence is distinct from p.licence
  ), words as (
    select t.park_id, jsonb_object_agg(t.language, jsonb_build_object('name', t.name, 'city', t.city, 'address', t.address)) as texts,
      coalesce(array_agg(word.field || '_' || t.language order by t.language, word.field)
        filter (where i.park_id is not null and word.text <> coalesce(i.said -> 'texts' -> t.language::text ->> word.field, '')),
          '{}') as by_people
    from public.park_translations t
    left join private.park_imports i on i.park_id = t.park_id
    cross join lateral (values ('name', t.name), ('city', t.city), ('address', t.address)) word (field, text)
    where not exists (
        select from withheld w cross join unnest(w.fields) field
        where w.park_id = t.park_id and field in ('name.' || t.language, 'city.' || t.language, 'address.' || t.language))
      and not exists (
        select from others o join public.park_translations other on other.park_id = o.id and other.language = t.language
        where o.park_id = t.park_id and (other.name, other.city, other.address) = (t.name, t.city, t.address))
    group by t.park_id
  ), chosen as (
    select p.id, p.lat, p.long, w.texts, p.source, p.source_ref, p.licence, p.source_date,
      case when hidden.fields ? 'size' then null else p.size end as size,
      case when hidden.fields ? 'materials' then null else nullif(p.materials, '{}') end as materials,
      case when hidden.fields ? 'shade' then null else p.shade end as shade,
      case when hidden.fields ? 'has_facilities' then null else p.has_facilities end as has_facilities,
      coalesce((
        select jsonb_object_agg(f.key, f.value) from jsonb_each(p.facts) f
        where not hidden.fields ? ('fact.' || f.key)
          -- Said by a source of which only the name is known.
          and (coalesce(p.fact_sources -> f.key ->> 0, p.source) in (p.source, 'people', 'user')
            or p.fact_sources -> f.key -> 2 is not null)), '{}') as facts,
      p.fact_sources, w.by_people || case when (p.lat, p.long) is distinct from
        (coalesce((i.said ->> 'lat')::double precision, p.lat), coalesce((i.said ->> 'long')::double precision, p.long))
          then '{lat,long}' else '{}'::text[] end as words_by_people
    from public.parks p
    join words w on w.park_id = p.id
    left join private.park_imports i on i.park_id = p.id
    cross join lateral (
      select to_jsonb(coalesce((select x.fields from withheld x where x.park_id = p.id), '{}') || coalesce((
        select array_agg(field) from others o cross join lateral (values
          ('size', o.size = p.size), ('materials', o.materials = p.materials),
          ('shade', o.shade = p.shade), ('has_facilities', o.has_facilities = p.has_facilities)) taken (field, equal)
        where o.park_id = p.id and taken.equal), '{}')) as fields
    ) hidden
    where p.status = 'approved' and (p.source = 'user' or private.is_open_licence(p.licence))
      and not hidden.fields ?| array['park', 'place']
  )
  select c.id, c.lat, c.long, c.size::double precision, c.materials::text[], c.shade::double precision, c.has_facilities, c.facts, c.texts,
    said.by_people, nullif(c.source, 'user'), case when c.source <> 'user' then c.source_ref end,
    case when c.source = 'user' then 'ODbL 1.0'
      when said.by_people <> '{}' and c.licence !~* '\modbl\M' then c.licence || '; ODbL 1.0'
      else c.licence end,
    c.source_date
  from chosen c
  cross join lateral (
    select case when c.source = 'user' then '{}' else c.words_by_people || coalesce((
      select array_agg(f.key order by f.key) from jsonb_each(c.fact_sources) f
      where (f.value ->> 0 in ('people', 'user') or f.value -> 2 is not null)
        and jsonb_strip_nulls(to_jsonb(c)) || c.facts ? f.key), '{}') end as by_people
  ) said
  order by c.id
$$;
comment on function public.open_parks is
  'The approved parks that may be published as open data, without what its givers did not agree to publish. texts: {language: {name, '
  'city, address}}; by_people: what people of this site said where the rest is from a source. Source and source_ref are null of a park '
  'that people added.';

grant execute on function public.open_parks() to service_role;

-- park_pages.sql
-- What the card of a park on another site, and the poster at its gate, tell of it: its name and how many dogs are there.

create function public.park_now(p_park_id bigint, p_language public.language default 'en')
returns table (park_id bigint, name text, city text, dogs_now integer)
language sql stable security definer set search_path = '' as $$
  select p.id, t.name, t.city, coalesce((
    select sum(c.dog_count) from private.present c where c.park_id = p.id and c.counted), 0)::integer
  from public.parks p
  cross join lateral private.named_park(p.id, p_language) t
  where p.id = private.present_park(p_park_id) and p.status = 'approved'
$$;
comment on function public.park_now is
  'An approved park, or the one that it was merged with, in a language, and the dogs there now; no row where there is none.';

grant execute on function public.park_now(bigint, public.language) to service_role;

-- moderation.sql
-- Reports by users, and what becomes of them and of pending contributions; who decides, and in which order, is in desk.sql.

create type public.report_reason as enum ('spam', 'inappropriate', 'misinformation', 'fake', 'personal_information');

create table private.review_reports (
  review_id uuid not null references public.reviews (id) on update cascade on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (review_id, reporter)
);
comment on table private.review_reports is 'One report per user and review.';
alter table private.review_reports enable row level security;

create table private.user_reports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  resolved_at timestamptz
);
comment on table private.user_reports is 'Users reported by users: one open report for each reporter, person and reason.';
alter table private.user_reports enable row level security;

create table private.photo_reports (
  path text not null references public.park_photos (path) on update cascade on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (path, reporter)
);
comment on table private.photo_reports is 'One report per user and photo of a park.';
alter table private.photo_reports enable row level security;

create table private.pack_time_reports (
  pack_time_id uuid not null references private.pack_times (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (pack_time_id, reporter)
);
comment on table private.pack_time_reports is 'One report per user and pack time.';
alter table private.pack_time_reports enable row level security;

create index on private.review_reports (reporter);
create index on private.user_reports (user_id);
create index on private.user_reports (reporter);
create index on private.photo_reports (reporter);
create index on private.pack_time_reports (reporter);
create index pack_time_reports_open on private.pack_time_reports (created_at) where resolved_at is null;
create index photo_reports_open on private.photo_reports (created_at) where resolved_at is null;
create index review_reports_open on private.review_reports (created_at) where resolved_at is null;
create index user_reports_open on private.user_reports (created_at) where resolved_at is null;
-- Which one was the first about something, and what waits for the desk by its id.
create index photo_reports_open_path on private.photo_reports (path, created_at, reporter) where resolved_at is null;
create index review_reports_open_review on private.review_reports (review_id, created_at, reporter) where resolved_at is null;
create index review_reports_open_id on private.review_reports ((review_id::text)) where resolved_at is null;
create index user_reports_open_user on private.user_reports (user_id, created_at, id) where resolved_at is null;
create index user_reports_open_id on private.user_reports ((user_id::text)) where resolved_at is null;
create unique index user_reports_once on private.user_reports (user_id, reporter, reason) where resolved_at is null;

create trigger clean_row before insert or update of note on private.user_reports
  for each row execute function private.clean_row('note');

-- Functions: what a decision of the desk does (private.carry_out) ------------------------------------------------

create function private.decide_park(p_park_id bigint, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.parks p set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
  where p.id = p_park_id and p.status = 'pending';
  return found;
end
$$;

create function private.relist_park(p_park_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.parks p set status = 'approved' where p.id = p_park_id and p.status = 'rejected';
  if found then
    delete from public.former_parks f where f.park_id = p_park_id;
  end if;
  return exists (select from public.parks p where p.id = p_park_id and p.status = 'approved');
end
$$;
comment on function private.relist_park is
  'Puts a park on the map again that was withdrawn or closed; what was merged stays with the other park.';

create function private.decide_photo(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lies_in text;
begin
  select o.bucket_id into lies_in from storage.objects o where o.bucket_id in ('parks', 'pending-photos') and o.name = p_photo_path;
  if not exists (select from public.park_photos f where f.path = p_photo_path and f.status = 'pending') or lies_in is null then
    return false;
  end if;
  if p_approve and lies_in = 'pending-photos' then
    -- Not before its file lies where everybody may read it: see private.sync_park_photos.
    perform private.move_photo(p_photo_path, 'parks');
  else
    update public.park_photos f set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
      where f.path = p_photo_path;
    if lies_in = 'parks' and not p_approve then
      perform private.move_photo(p_photo_path, 'pending-photos');
    end if;
  end if;
  return true;
end
$$;

create function private.decide_photo_report(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The photo first: a deletion locks in this order, too.
  perform from public.park_photos f where f.path = p_photo_path for no key update;
  update private.photo_reports x set resolved_at = now() where x.path = p_photo_path and x.resolved_at is null;
  if not found then
    return false;
  end if;
  if not p_approve then
    update public.park_photos f set status = 'rejected' where f.path = p_photo_path;
    perform private.move_photo(p_photo_path, 'pending-photos');
  end if;
  return true;
end
$$;
comment on function private.decide_photo_report is
  'Withdraws a reported photo, or leaves it to be seen; either way its open reports are resolved.';

create function private.unpublish_photo(p_photo_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.park_photos f set status = 'pending' where f.path = p_photo_path;
  perform private.move_photo(p_photo_path, 'pending-photos');
end
$$;
comment on function private.unpublish_photo is 'Lets an approved photo wait again, hidden at once.';

create function private.move_photo(p_photo_path text, p_to text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('move-photo', p_photo_path, jsonb_build_object('path', p_photo_path, 'to', p_to), null, interval '7 days')
$$;
comment on function private.move_photo is
  'Asks for a photo''s file to be moved to a bucket, or removed where that is null. Only storage can do it.';

create function private.decide_suggestion(p_id uuid, p_approve boolean, p_town private.towns default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  suggestion public.park_suggestions;
  unknown text[];
  given record;
begin
  update public.park_suggestions s
  set status = case when p_approve then 'approved'::public.park_status else 'rejected' end, decided_at = now()
  where s.id = p_id and s.status = 'pending' returning * into suggestion;
  if suggestion.id is null or not p_approve then
    return suggestion.id is not null;
  end if;
  if p_town.id is null then
    perform private.refuse_facts_of_town(suggestion);
  end if;
  unknown := array(select f.key from jsonb_each(suggestion.facts) f where f.value = 'null');
  update public.parks p set
    size = case when 'size' <> all (unknown) then coalesce(suggestion.size, p.size) end,
    materials = case when 'materials' = any (unknown) then '{}' else coalesce(suggestion.materials, p.materials) end,
    shade = case when 'shade' <> all (unknown) then coalesce(suggestion.shade, p.shade) end,
    has_facilities = case when 'has_facilities' <> all (unknown) then coalesce(suggestion.has_facilities, p.has_facilities) end,
    lat = coalesce(suggestion.lat, p.lat), long = coalesce(suggestion.long, p.long),
    facts = (p.facts || coalesce(suggestion.facts, '{}')) - unknown,
    fact_sources = (p.fact_sources || coalesce((
      select jsonb_object_agg(said.key, case when p_town.id is null
        then jsonb_build_array('people', private.park_day(suggestion.created_at))
        else jsonb_build_array(p_town.name, private.park_day(), p_town.id) end)
      from (
        select jsonb_object_keys(suggestion.facts)
        union all
        select field from jsonb_object_keys(private.suggested_fields(suggestion)) field where field = any (private.fact_columns())
      ) said (key)), '{}')) - unknown
  where p.id = suggestion.park_id;
  -- A language that the park had no words in takes what is not given from another one.
  for given in select key::public.language as language, value from jsonb_each(suggestion.words) loop
    insert into public.park_translations as t (park_id, language, name, city, address)
    select o.park_id, given.language, coalesce(given.value ->> 'name', o.name), coalesce(given.value ->> 'city', o.city),
      coalesce(given.value ->> 'address', o.address)
    from public.park_translations o where o.park_id = suggestion.park_id
    order by o.language = given.language desc, o.language = 'en' desc, o.language limit 1
    on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address;
  end loop;
  -- What is suggested asks for the licence; this is what open data trusts in.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select suggestion.park_id, field, suggestion.user_id
  from jsonb_object_keys(private.suggested_fields(suggestion)) field
  where not exists (select from private.user_consents c where c.user_id = suggestion.user_id and c.licence_agreed_at is not null);
  if suggestion.claim = 'double' then
    perform private.merge_parks(suggestion.park_id, suggestion.double_of);
  elsif suggestion.claim is not null then
    perform private.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
comment on function private.decide_suggestion is 'Carries out a pending suggestion, or rejects it; false where there is none.';

create function private.decide_review(p_review_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The review first: a deletion locks in this order, too.
  perform from public.reviews r where r.id = p_review_id for no key update;
  update private.review_reports x set resolved_at = now() where x.review_id = p_review_id and x.resolved_at is null;
  if not found then
    return false;
  end if;
  update public.reviews r set hidden_at = case when not p_approve then coalesce(r.hidden_at, now()) end where r.id = p_review_id;
  return true;
end
$$;
comment on function private.decide_review is 'Hides a reported review, or leaves it to be seen; either way its open reports are resolved.';

create function private.decide_pack_time(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.pack_time_reports x set resolved_at = now() where x.pack_time_id = p_id and x.resolved_at is null;
  if not found then
    return false;
  end if;
  update private.pack_times t set hidden_at = now() where t.id = p_id and not p_approve;
  return true;
end
$$;
comment on function private.decide_pack_time is 'Hides a reported pack time, or leaves it; either way its open reports are resolved.';

create function private.decide_person(p_user_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not p_approve then
    perform private.fail('measure_needed', 'Say what is done about the person.');
  end if;
  update private.user_reports x set resolved_at = now() where x.user_id = p_user_id and x.resolved_at is null;
  return found;
end
$$;
comment on function private.decide_person is
  'Resolves the reports of a person and leaves it at that; otherwise a measure is taken (public.desk_take_measure).';

create function public.report_review(p_review_id uuid, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.review_reports (review_id, reporter, reason)
  select v.id, me, p_reason from public.park_reviews v where v.id = p_review_id and not v.mine
  on conflict do nothing;
end
$$;

create function public.report_user(p_user_id uuid, p_reason public.report_reason, p_note text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_contacted_caller(p_user_id)) then
    insert into private.user_reports (user_id, reporter, reason, note)
    values (p_user_id, me, p_reason, left(btrim(p_note), 1000))
    on conflict (user_id, reporter, reason) where resolved_at is null do update
      set note = coalesce(nullif(excluded.note, ''), user_reports.note);
  end if;
end
$$;

create function public.report_photo(p_path text, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.photo_reports (path, reporter, reason)
  select f.path, me, p_reason from public.park_photos f
  where f.path = p_path and f.status = 'approved' and f.path not in (select private.uploaded_photo_paths())
  on conflict do nothing;
end
$$;

create function public.report_pack_time(p_pack_time_id uuid, p_reason public.report_reason) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  perform private.require_pack_time(p_pack_time_id);
  insert into private.pack_time_reports (pack_time_id, reporter, reason) values (p_pack_time_id, me, p_reason)
  on conflict do nothing;
end
$$;

create function public.choose_primary_photo(p_path text) returns boolean
language sql volatile security definer set search_path = '' as $$
  with chosen as (
    update public.parks p set primary_photo = f.path
    from public.park_photos f where f.path = p_path and f.status = 'approved' and not f.of_hazard and p.id = f.park_id returning p.id
  ) select exists (select from chosen)
$$;
comment on function public.choose_primary_photo is 'Makes an approved photo the one that a park is shown with.';

create function public.claim_photo_moves(p_limit integer default 20, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, path text, lies_in text, target text, new_path text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[] := array(select c.id from private.claim_jobs('move-photo', p_limit, p_lease_seconds) c);
begin
  return query
    -- To whoever owns a dog by now; one that is gone needs no photos.
    select j.id, j.lease, j.payload ->> 'path', o.bucket_id, case when d.id is null then j.payload ->> 'to' else o.bucket_id end,
      coalesce(d.owner || substr(o.name, 37), j.payload ->> 'path')
    from private.jobs j
    left join public.dogs d on d.id = (j.payload ->> 'dog_id')::uuid
    left join storage.objects o on o.bucket_id in ('users', 'parks', 'pending-photos', 'lost-dogs', 'sightings')
      and o.name = j.payload ->> 'path'
    where j.id = any (claimed);
end
$$;
comment on function public.claim_photo_moves is
  'Leases the photos whose files are to be moved to another bucket or the folder of another person, or removed where target is null; '
  'lies_in is null where there is no such file any more.';

create function public.finish_photo_move(p_id bigint, p_lease uuid, p_error text default null) returns void
language sql volatile security definer set search_path = '' as $$
  select private.finish_job(p_id, p_lease, p_error)
$$;

grant execute on function
  public.report_review(uuid, public.report_reason),
  public.report_photo(text, public.report_reason),
  public.report_pack_time(uuid, public.report_reason),
  public.report_user(uuid, public.report_reason, text)
to authenticated;

grant execute on function
  public.choose_primary_photo(text),
  public.claim_photo_moves(integer, integer),
  public.finish_photo_move(bigint, uuid, text)
to service_role;

insert into private.exports (relation, part, statement) values
  -- Without the review's id, by which an anonymous one could be recognised.
  ('private.review_reports', 'reported_reviews',
    $$select x.created_at, x.review_id::text, jsonb_build_object('park', private.park_name(r.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = $1$$),
  -- Without the name, which somebody who hides by now may have changed.
  ('private.user_reports', 'reported_people',
    $$select x.created_at, x.id::text, jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at',
      x.resolved_at)
    from private.user_reports x where x.reporter = $1$$),
  ('private.photo_reports', 'reported_photos',
    $$select x.created_at, x.path, jsonb_build_object('park', private.park_name(f.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = $1$$),
  ('private.pack_time_reports', 'reported_pack_times',
    $$select x.created_at, x.pack_time_id::text, jsonb_build_object('park', private.park_name(t.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.pack_time_reports x join private.pack_times t on t.id = x.pack_time_id where x.reporter = $1$$);

-- people.sql
-- Finding people by their own or their dogs' names, and their pages.

-- Without rights and a search_path of their own these two become part of the statement that asks them, for each of many people.
create function private.dogs_of(p_user_id uuid, p_with_photos boolean) returns setof jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'name', d.name, 'breed', d.breed, 'gender', d.gender, 'birthday', d.birthday, 'size', d.size,
    'photo', case when p_with_photos then d.photo end) order by d.created_at, d.id), '[]')
  from public.dogs d where d.owner = p_user_id and d.deleted_at is null
$$;
comment on function private.dogs_of is
  'Somebody''s dogs as one array. p_with_photos: whether the caller is logged in; others see no photos.';

create function private.name_similarity(p_typed text, p_name text) returns real
language sql stable as $$
  select case when p_name = p_typed then 3 when starts_with(p_name, p_typed) then 2 else extensions.word_similarity(p_typed, p_name) end
$$;

create function private.find_people(p_input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = '' as $$
declare
  typed text := lower(private.clean_name(left(p_input, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  me uuid := private.uid();
  signed_in boolean := me is not null;
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || me, null);
  found_ids uuid[];
  threshold text;
begin
  if coalesce(char_length(typed), 0) < 2 then
    return;
  end if;
  if auth.uid() is null then
    perform private.limit_address('search_people', 60, '10 minutes');
  else
    perform private.limit_rate('search_people', 600, '1 hour');
  end if;
  -- Anonymous callers do not find people who have blocked somebody: that one could just log out. With 'offset 0' it is looked up
  -- for each person who is found; else all blocks are read first.
  -- Exact names and beginnings of names first, by index, which also knows their order (~<~): a common beginning has thousands.
  -- Only where these are few: similar names.
  found_ids := array(
    select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and private.is_old_enough(u.id) and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0))
        order by lower(u.name) using ~<~ limit 40);
  -- The index of parts of names cannot tell later words from first ones: a common beginning has thousands of them to look at.
  if cardinality(found_ids) < 40 then
    found_ids := array(
      select unnest(found_ids)
      union
      (select u.id from public.users u
      where lower(u.name) like '% ' || pattern || '%' and not u.hidden and private.is_old_enough(u.id) and u.id <> all (unwanted)
        and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0)) limit 40));
  end if;
  found_ids := array(
    select unnest(found_ids)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden and private.is_old_enough(u.id)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted)
      order by lower(d.name) using ~<~ limit 40));
  -- The nearer names first, and the others only where these are few: to compare each of thousands takes most of the time.
  foreach threshold in array array['0.6', '0.4'] loop
    exit when cardinality(found_ids) >= 20 or char_length(typed) <= 2;
    perform set_config('pg_trgm.word_similarity_threshold', threshold, true);
    found_ids := array(
      select unnest(found_ids)
      union
      (select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and private.is_old_enough(u.id) and u.id <> all (unwanted)
          and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0)) limit 200)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden and private.is_old_enough(u.id)
          and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0))
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 200)
      ) near
      order by near.likeness desc, near.id limit 40));
  end loop;
  return query
    with best as materialized (
      select u.id, u.name, greatest(
        private.name_similarity(typed, lower(u.name)) + 0.01,
        (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
      ) as likeness
      from public.users u
      where u.id = any (found_ids)
      order by likeness desc, u.name, u.id
      limit 20
    )
    select b.id, b.name, d.dogs
    from best b cross join lateral private.dogs_of(b.id, signed_in) d (dogs)
    order by b.likeness desc, b.name, b.id;
end
$$;
comment on function private.find_people is
  'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller, nor who '
  'has not confirmed the age. From two characters on; limited per user, and per address for anonymous callers.';

create function public.search_users_with_dogs(input text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  -- One value and no rows: a request can choose and cast columns of rows so that it fails, which would undo the counting and
  -- tell the rows in its error.
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') from private.find_people(input) f
$$;
comment on function public.search_users_with_dogs is 'See private.find_people: [{id, name, dogs}].';

create function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'picture', u.picture, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', d.dogs,
    'shows_friends', u.show_friends and private.is_friend(u.id), 'shows_favourites', u.show_favourites and private.is_friend(u.id))
  from public.users u cross join lateral private.dogs_of(u.id, true) d (dogs)
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null for callers who may not see it, as where there is no such user.';

grant execute on function public.search_users_with_dogs(text) to anon, authenticated;

grant execute on function public.user_page(uuid) to authenticated;

-- storage.sql
-- The buckets. users and parks are read by public address, with names that nobody can guess; policies limit who lists and
-- writes. pending-photos is private: what no moderator has approved is read by its giver only.

-- The published list of a hundred thousand parks is larger than any photo may be: the bucket takes it, and
-- private.check_photo limits photos.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('users', 'users', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif}'),
  ('parks', 'parks', true, 52428800, '{image/webp,image/jpeg,image/png,image/avif,application/json}'),
  ('pending-photos', 'pending-photos', false, 5242880, '{image/webp,image/jpeg,image/png,image/avif}');

create function private.check_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.bucket_id = 'users' then
    -- Also what a keeper adds: it belongs to the dog, and no account that goes stays in it.
    new.owner := case when new.name ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/' then split_part(new.name, '/', 1)::uuid end;
    new.owner_id := new.owner::text;
  end if;
  if new.bucket_id not in ('users', 'parks', 'pending-photos', 'lost-dogs', 'sightings')
    or (new.bucket_id = 'parks' and private.is_park_list(new.name)) then
    return new;
  end if;
  -- Supabase's storage first inserts a row without metadata, to ask the policies before it takes the file.
  if new.metadata is not null then
    if coalesce(new.metadata ->> 'mimetype', '') not like 'image/%' then
      raise exception using errcode = 'PT415', message = 'Only pictures are kept here';
    elsif coalesce((new.metadata ->> 'size')::bigint, 0) > 5242880 then
      raise exception using errcode = 'PT413', message = 'The object exceeded the maximum allowed size';
    end if;
  end if;
  return new;
end
$$;
comment on function private.check_photo is
  'Photos have at most 5 MB and are pictures, whatever their names say; PTnnn sets the HTTP status.';
create trigger check_photo before insert or update of name, bucket_id, metadata on storage.objects
  for each row execute function private.check_photo();

create function private.limit_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  folder text := split_part(new.name, '/', 1) || '/';
begin
  -- Only where one may add any: the policy refuses others, and a refusal by this limit would tell how many photos they have.
  if folder <> coalesce(auth.uid() || '/', folder)
    and not private.may_add_dog_photo(split_part(new.name, '/', 1), split_part(new.name, '/', 3)) then
    return new;
  end if;
  -- Parallel uploads would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('photos:' || folder, 0));
  -- A photo that is replaced needs no more room.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;
comment on function private.limit_photos is 'At most 300 photos in a person''s folder of the bucket users.';
create trigger limit_photos before insert on storage.objects
  for each row when (new.bucket_id = 'users') execute function private.limit_photos();

create function private.set_dog_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  place record;
begin
  for place in
    select distinct path[1]::uuid as owner, path[2]::uuid as dog
    from unnest(array[old.name, new.name]) changed (name)
    cross join lateral regexp_match(changed.name,
      '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/dogs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/primary/') path
    where path is not null
    order by dog
  loop
    -- Of two changes at once neither would see the other's file: the second waits here, and then sees both.
    perform from public.dogs d where d.id = place.dog and d.owner = place.owner for no key update;
    update public.dogs d set photo = last.name
    from (select (
      select o.name from storage.objects o
      where o.bucket_id = 'users'
        and o.name >= place.owner || '/dogs/' || place.dog || '/primary/' and o.name < place.owner || '/dogs/' || place.dog || '/primary0'
      order by o.updated_at desc, o.name desc limit 1) as name) last
    where d.id = place.dog and d.owner = place.owner and d.photo is distinct from last.name;
  end loop;
  return null;
end
$$;
comment on function private.set_dog_photo is
  'A dog''s main photo is the file that came last into its folder primary, by an upload or a move.';
create trigger set_dog_photo after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.set_dog_photo();

create function private.forget_minute_of_photo() returns trigger
language plpgsql set search_path = '' as $$
declare
  day timestamptz := private.day_start();
begin
  new.created_at := private.day_start(new.created_at);
  new.updated_at := day;
  new.last_accessed_at := day;
  if new.metadata ? 'lastModified' then
    new.metadata := jsonb_set(new.metadata, '{lastModified}', to_jsonb(to_char(day at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  end if;
  return new;
end
$$;
comment on function private.forget_minute_of_photo is 'Of a photo of a park everybody reads the day only: a minute tells who was there.';
-- Named to run after those that note when a row changed.
create trigger without_minutes before insert or update on storage.objects
  for each row when (new.bucket_id = 'parks' and new.name ~ '^\d{1,18}/') execute function private.forget_minute_of_photo();

create function private.is_photo_name(p_name text) returns boolean
language sql immutable set search_path = '' as $$
  -- The random id in the name keeps a pending photo, or one of a hidden user's dog, from being guessed.
  select p_name ~* '(^|/)[a-z0-9_-]*[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(webp|jpe?g|png|avif)$'
$$;

create function private.is_park_list(p_name text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(substring(p_name from '^parks-(.*)\.json$') = any (enum_range(null::public.language)::text[]), false)
$$;
comment on function private.is_park_list is 'Whether this is the name of a published list: parks-{language}.json.';

create function private.may_see_folder_of(p_owner text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case when p_owner ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then private.may_see(p_owner::uuid) else false end
$$;

create function private.may_add_dog_photo(p_owner text, p_dog text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.dogs d
    where d.id = case when p_dog ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_dog::uuid end
      and d.owner::text = p_owner and d.deleted_at is null
      and (d.owner = private.uid() or d.id in (select private.kept_dog_ids('keeper'))))
    and private.is_old_enough(private.uid()) and not private.is_limited(private.uid())
$$;
comment on function private.may_add_dog_photo is
  'A dog of this owner that the caller owns or keeps, age confirmed, and posting not paused.';

create function private.may_add_park_photo(p_park text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.parks p
    where p.id::text = p_park and (p.status = 'approved' or p.id in (select private.submitted_park_ids()))
      and p.id = case when p_park ~ '^\d{1,18}$' then p_park::bigint end
  ) and exists (
    select from private.user_consents c
    where c.user_id = private.uid() and c.terms_accepted_at is not null
  ) and private.is_old_enough(private.uid()) and not private.is_limited(private.uid())
$$;
comment on function private.may_add_park_photo is 'Terms accepted, age confirmed, posting not paused, and the park is there.';

-- Photos of a deleted dog are listed for its owner only; those of others for who sees the owner, and the dog's people.
create function private.may_see_photo_of_dog(p_owner text, p_dog text) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_owner = private.uid()::text or exists (
    select from public.dogs d
    where d.owner::text = p_owner and d.deleted_at is null
      and (private.may_see_folder_of(p_owner) or d.id in (select private.kept_dog_ids()))
      and d.id = case when p_dog ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_dog::uuid end)
$$;

grant execute on function private.is_park_list(text) to anon, authenticated;
grant execute on function
  private.is_photo_name(text),
  private.may_see_folder_of(text),
  private.may_add_dog_photo(text, text),
  private.may_add_park_photo(text),
  private.may_see_photo_of_dog(text, text)
to authenticated;

create policy "photos of dogs are listed for who may see them" on storage.objects for select to authenticated
  using (bucket_id = 'users' and private.may_see_photo_of_dog((storage.foldername(name))[1], (storage.foldername(name))[3]));
create policy "owners and keepers add photos of dogs" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'users' and name ~ '^[^/]+/dogs/[^/]+/(primary|other)/[^/]+$' and private.is_photo_name(name)
    and private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])
  );
create policy "owners and keepers move photos of dogs" on storage.objects for update to authenticated
  using (bucket_id = 'users' and ((storage.foldername(name))[1] = (select auth.uid())::text
    or private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])))
  with check (
    bucket_id = 'users' and name ~ '^[^/]+/dogs/[^/]+/(primary|other)/[^/]+$' and private.is_photo_name(name)
    and private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])
  );
create policy "owners and keepers remove photos of dogs" on storage.objects for delete to authenticated
  using (bucket_id = 'users' and ((storage.foldername(name))[1] = (select auth.uid())::text
    or private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])));
create policy "public files of parks are listed" on storage.objects for select to anon, authenticated
  using (
    bucket_id = 'parks' and (
      private.is_park_list(name)
      or exists (select from public.parks p where p.primary_photo = name and p.id = substring(name from '^(\d{1,18})/')::bigint)
      or exists (select from public.park_photos f where f.path = name)
    )
  );
create policy "users add photos to parks" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'pending-photos' and name ~ '^\d{1,18}/other/[^/]+$'
    and private.is_photo_name(name) and private.may_add_park_photo((storage.foldername(name))[1])
    -- The name of an approved photo is public: a second file of that name would be taken for it.
    and not exists (select from public.park_photos f where f.path = name)
  );
create policy "users see their own pending photos" on storage.objects for select to authenticated
  using (bucket_id = 'pending-photos' and name in (select private.uploaded_photo_paths()));
create policy "moderators see pending photos" on storage.objects for select to authenticated
  using (bucket_id = 'pending-photos' and (select private.is_moderator()));
create policy "users delete their own photos of parks" on storage.objects for delete to authenticated
  using (bucket_id in ('parks', 'pending-photos') and name in (select private.uploaded_photo_paths()));
-- What is listed for everybody stays so: before the second factor a session is an anonymous caller, not less.
create policy "nothing of people before the second factor" on storage.objects as restrictive for select to authenticated
  using (bucket_id = 'parks' or (select private.second_factor_done()));
create policy "nothing is added before the second factor" on storage.objects as restrictive for insert to authenticated
  with check ((select private.second_factor_done()));
create policy "nothing is moved before the second factor" on storage.objects as restrictive for update to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing is removed before the second factor" on storage.objects as restrictive for delete to authenticated
  using ((select private.second_factor_done()));

insert into private.exports (relation, part, statement) values
  ('storage.objects', 'files', $$select 'epoch'::timestamptz, f.bucket || '/' || f.name, to_jsonb(f)
    from private.files_of($1) f$$);

insert into private.exports (relation, left_out) values
  ('storage.buckets', 'our own buckets; the column is of the protocol, and no person owns one');

-- lost_dogs.sql
-- Lost and found: the card of a lost dog for a day, who is told of it, what finders say to its people, and the tag on its collar.

create table private.lost_dogs (
  id uuid primary key default gen_random_uuid(),
  dog_id uuid not null unique references public.dogs (id) on delete cascade,
  reporter uuid references public.users (id) on delete set null,
  name text not null,
  lat double precision not null,
  long double precision not null,
  lost_at timestamptz not null default now(),
  until timestamptz not null default now() + interval '24 hours',
  by_regular boolean not null,
  approved_at timestamptz,
  hidden_at timestamptz,
  told_at timestamptz
);
comment on table private.lost_dogs is 'The cards of lost dogs; others see one by a regular, or one that a moderator approved.';
comment on column private.lost_dogs.name is 'A copy, so that no later name is shown unseen; without digits, as of a telephone number.';
comment on column private.lost_dogs.lat is 'Coarse, as is long: a more exact place is stored nowhere.';
comment on column private.lost_dogs.hidden_at is 'When a moderator took it down; it stays down for 30 days.';
comment on column private.lost_dogs.told_at is 'When people near it were told: once.';
alter table private.lost_dogs enable row level security;

create table private.lost_dog_sightings (
  id uuid primary key default gen_random_uuid(),
  lost_id uuid not null references private.lost_dogs (id) on delete cascade,
  user_id uuid references public.users (id) on delete cascade,
  lat double precision check (lat between -90 and 90),
  long double precision check (long between -180 and 180),
  note text check (char_length(note) between 1 and 300),
  created_at timestamptz not null default now(),
  check ((lat is null) = (long is null) and num_nonnulls(lat, note) > 0 and (user_id is null or note is null))
);
comment on table private.lost_dog_sightings is
  'Where somebody saw a lost dog, for its people alone; its photo is the file in the folder of its id in the bucket sightings.';
comment on column private.lost_dog_sightings.user_id is 'Null of a finder who scanned the tag; told to nobody.';
comment on column private.lost_dog_sightings.note is 'By finders who scanned the tag only.';
alter table private.lost_dog_sightings enable row level security;

create table private.lost_dog_reports (
  lost_id uuid not null references private.lost_dogs (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (lost_id, reporter)
);
comment on table private.lost_dog_reports is 'One report per user and card.';
alter table private.lost_dog_reports enable row level security;

create table private.dog_tags (
  dog_id uuid primary key references public.dogs (id) on delete cascade,
  code text not null unique,
  created_at timestamptz not null default now()
);
comment on table private.dog_tags is 'The address on a dog''s tag: who knows it learns nothing until the dog is lost.';
alter table private.dog_tags enable row level security;

-- A card's face is a copy: the address of the dog's own photo leads to its owner.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('lost-dogs', 'lost-dogs', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif}'),
  ('sightings', 'sightings', false, 5242880, '{image/webp,image/jpeg,image/png,image/avif}');

create index on private.lost_dogs (reporter);
create index on private.lost_dog_sightings (lost_id);
create index on private.lost_dog_sightings (user_id);
create index on private.lost_dog_reports (reporter);
create index lost_dog_reports_open on private.lost_dog_reports (created_at) where resolved_at is null;

create function private.remove_lost_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.move_photo(p, null) from private.lost_photo(tg_argv[0], old.id) p where p is not null;
  return null;
end
$$;
create trigger remove_lost_photo after delete on private.lost_dogs
  for each row execute function private.remove_lost_photo('lost-dogs');
create trigger remove_lost_photo after delete on private.lost_dog_sightings
  for each row execute function private.remove_lost_photo('sightings');

create function private.lost_photo(p_bucket text, p_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  -- '0' follows '/'.
  select min(o.name) from storage.objects o where o.bucket_id = p_bucket and o.name >= p_id || '/' and o.name < p_id || '0'
$$;
comment on function private.lost_photo is 'The one photo of a card (bucket lost-dogs) or of a sighting (sightings): the folder is its id.';

create function private.owner_and_keepers(p_dog_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select d.owner from public.dogs d where d.id = p_dog_id and d.deleted_at is null
  union all
  select p.user_id from private.dog_people p where p.dog_id = p_dog_id and p.role = 'keeper'
$$;
comment on function private.owner_and_keepers is 'Owner and keepers: who says that a dog is lost or found, and is told where it was seen.';

create function private.may_care_for(p_dog_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.owner_and_keepers(p_dog_id) d where d = private.uid())
$$;

create function private.most_lost_dog_notifications() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.most_lost_dog_notifications is 'Lost dogs that one person is told of in a day.';

create function private.coarse(p_degrees double precision) returns double precision
language sql immutable set search_path = '' as $$
  select round(p_degrees * 200) / 200
$$;
comment on function private.coarse is 'A latitude or longitude by about half a kilometre.';

create function private.is_lost(p_card private.lost_dogs) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_card.hidden_at is null and p_card.until > now() and exists (select private.owner_and_keepers(p_card.dog_id))
$$;

create function private.sees_card(p_card private.lost_dogs) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_lost(p_card) and (private.may_care_for(p_card.dog_id)
    or ((p_card.by_regular or p_card.approved_at is not null)
      and not exists (select from private.owner_and_keepers(p_card.dog_id) d where private.is_blocked_with(d))))
$$;
comment on function private.sees_card is 'Whether the caller, also a visitor, reads the card of a lost dog.';

create function private.require_card(p_lost_id uuid) returns private.lost_dogs
language plpgsql stable security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  select * into card from private.lost_dogs l where l.id = p_lost_id;
  if card.id is null or not private.sees_card(card) then
    perform private.fail('not_lost', 'This dog is not lost any more.');
  end if;
  return card;
end
$$;

create function private.tell_of_lost_dog(p_lost_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  update private.lost_dogs l set told_at = now()
  where l.id = p_lost_id and l.told_at is null and (l.by_regular or l.approved_at is not null) and private.is_lost(l)
  returning * into card;
  with near as materialized (
    select p.id from public.parks p
    where p.status = 'approved' and p.lat between card.lat - 0.03 and card.lat + 0.03
      and private.metres_between(p.lat, p.long, card.lat, card.long) <= 3000
  ), people as materialized (
    select g.user_id from (
      select x.user_id from private.present x join near n on n.id = x.park_id
      union select f.user_id from public.favourite_parks f join near n on n.id = f.park_id
    ) g
    where not exists (
      select from private.owner_and_keepers(card.dog_id) d
      where d = g.user_id or private.is_blocked_between(d, g.user_id))
  )
  -- Without a sender: whose dog it is says nobody.
  insert into public.notifications (type, receiver_id, data)
  select 'lostDog', p.user_id, jsonb_build_object('lost_id', card.id, 'dog', card.name, 'until', card.until)
  from people p
  where private.count_attempt(p.user_id, 'told_of_lost_dog', interval '1 day') <= private.most_lost_dog_notifications();
end
$$;
comment on function private.tell_of_lost_dog is
  'Tells those who are at a park within 3 km, or favour one there, but not the dog''s people, and nobody across a block.';

create function private.tell_of_lost_dogs() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-lost-dog', 20) loop
    perform private.tell_of_lost_dog((job.payload ->> 'lost_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_lost_dogs is
  'Drains the jobs tell-of-lost-dog: the host does it at once, on Supabase pg_cron each minute.';

create function private.ask_to_tell_of(p_lost_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('tell-of-lost-dog', p_lost_id::text, jsonb_build_object('lost_id', p_lost_id), p_lifetime => interval '3 hours')
$$;

create function private.forget_lost_dog_notifications(p_lost_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.notifications n where n.type = 'lostDog' and n.data ->> 'lost_id' = p_lost_id::text
$$;

create function private.tell_of_sighting(p_card private.lost_dogs, p_by_regular boolean) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify('dogSighting', null, d, jsonb_build_object('dog_id', p_card.dog_id, 'owner_id', d, 'dog', p_card.name))
  from private.owner_and_keepers(p_card.dog_id) d
  -- Many new accounts are one person: the others stand on the dog's page, and the phone stays silent.
  where p_by_regular or private.count_attempt(d, 'told_of_sighting', interval '1 day') <= 10
$$;

create function private.decide_lost_dog(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.lost_dog_reports x set resolved_at = now() where x.lost_id = p_id and x.resolved_at is null;
  update private.lost_dogs l set approved_at = case when p_approve then now() end, hidden_at = case when not p_approve then now() end
  where l.id = p_id and l.hidden_at is null;
  if found and p_approve then
    perform private.ask_to_tell_of(p_id);
  elsif found then
    perform private.forget_lost_dog_notifications(p_id);
  end if;
  return found;
end
$$;
comment on function private.decide_lost_dog is
  'Lets everybody see a card, or takes it down with what people were told of it; either way its open reports are resolved.';

create function private.may_add_lost_photo(p_bucket text, p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_photo_name(p_name) and coalesce(private.lost_photo(p_bucket, f.id), p_name) = p_name and case p_bucket
    -- Later it would be one that the moderator did not see.
    when 'lost-dogs' then exists (
      select from private.lost_dogs l where l.id = f.id and l.approved_at is null and private.is_lost(l) and private.may_care_for(l.dog_id))
    else exists (select from private.lost_dog_sightings s where s.id = f.id and s.user_id = private.uid())
  end
  from private.to_uuid(split_part(p_name, '/', 1)) f (id)
$$;
comment on function private.may_add_lost_photo is 'One for each card of a dog of the caller''s, and for each of their sightings.';

create function private.sees_lost_photo(p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
      select from private.lost_dog_sightings s join private.lost_dogs l on l.id = s.lost_id
      where s.id = f.id and (s.user_id = private.uid() or private.may_care_for(l.dog_id)))
    or exists (select from private.lost_dogs l where l.id = f.id and private.may_care_for(l.dog_id))
  from private.to_uuid(split_part(p_name, '/', 1)) f (id)
$$;

grant execute on function private.may_add_lost_photo(text, text), private.sees_lost_photo(text) to authenticated;

create policy "people add a photo to their card or sighting" on storage.objects for insert to authenticated
  with check (bucket_id in ('lost-dogs', 'sightings') and private.may_add_lost_photo(bucket_id, name));
create policy "photos of sightings are for the dog's people and who saw it" on storage.objects for select to authenticated
  using (bucket_id in ('lost-dogs', 'sightings') 
    and (private.sees_lost_photo(name) or (bucket_id = 'lost-dogs' and (select private.is_moderator()))));

create function public.report_lost_dog(p_dog_id uuid, p_lat double precision default null, p_long double precision default null)
returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  card private.lost_dogs;
begin
  if not private.may_care_for(p_dog_id) then
    perform private.fail('dog_not_found', 'There is no such dog.');
  elsif coalesce(abs(p_lat) > 90 or abs(p_long) > 180, false) or (p_lat is null) <> (p_long is null) then
    perform private.fail('invalid_input', 'Say where it was seen last.');
  end if;
  perform private.limit_action(me, 'report_lost_dog');
  delete from private.lost_dogs l where l.dog_id = p_dog_id and l.hidden_at is null and l.until < now() - interval '1 day';
  update private.lost_dogs l set until = now() + interval '24 hours',
    lat = coalesce(private.coarse(p_lat), l.lat), long = coalesce(private.coarse(p_long), l.long)
  where l.dog_id = p_dog_id returning * into card;
  if card.id is null and p_lat is null then
    perform private.fail('invalid_input', 'Say where it was seen last.');
  elsif card.id is null then
    insert into private.lost_dogs (dog_id, reporter, name, lat, long, by_regular)
    select d.id, me, coalesce(nullif(btrim(regexp_replace(d.name, '[0-9\u0660-\u0669\u06f0-\u06f9]', '', 'g')), ''), '?'),
      private.coarse(p_lat), private.coarse(p_long), private.is_regular(me)
    from public.dogs d where d.id = p_dog_id
    on conflict (dog_id) do update set until = excluded.until
    returning * into card;
    if card.by_regular then
      perform private.ask_to_tell_of(card.id);
    end if;
  elsif card.hidden_at is not null then
    perform private.fail('card_hidden', 'A moderator took this card down.');
  end if;
  return card.id;
end
$$;
comment on function public.report_lost_dog is
  'The card of a lost dog of the caller''s, for 24 hours from now on; with another place where one is given. Safe to call again. A copy '
  'of its face is then uploaded as {card}/{name} in the bucket lost-dogs.';

create function public.found_dog(p_dog_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  perform private.require_user();
  -- Whoever else says so at the same moment waits here, and finds none.
  select * into card from private.lost_dogs l
  where l.dog_id = p_dog_id and private.may_care_for(l.dog_id) and l.hidden_at is null for update;
  perform private.notify('dogFound', null, h.user_id, jsonb_build_object('dog', card.name))
  from (select distinct s.user_id from private.lost_dog_sightings s where s.lost_id = card.id and s.user_id is not null) h
  where not exists (select from private.owner_and_keepers(p_dog_id) d where private.is_blocked_between(d, h.user_id));
  perform private.forget_lost_dog_notifications(card.id);
  delete from private.lost_dogs l where l.id = card.id;
  return card.id is not null;
end
$$;
comment on function public.found_dog is 'Takes the card down, and thanks those who said where they saw the dog; false where there is none.';

create function public.lost_dogs() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'photo', private.lost_photo('lost-dogs', c.id), 'lat', c.lat,
    'long', c.long, 'lost_at', private.quarter_hour(c.lost_at), 'until', private.quarter_hour(c.until), 'mine', c.mine)
    order by c.lost_at desc, c.id), '[]')
  from (
    select l.*, private.may_care_for(l.dog_id) as mine from private.lost_dogs l where private.sees_card(l)
    order by l.lost_at desc limit 200
  ) c
$$;
comment on function public.lost_dogs is
  'The cards of lost dogs everywhere, newest first: [{id, name, photo: in the bucket lost-dogs, lat, long, lost_at, until, mine}]; the '
  'caller''s place is not asked for.';

create function public.my_lost_dog(p_dog_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', l.id, 'until', l.until, 'lat', l.lat, 'long', l.long, 'lost', private.is_lost(l),
    'shown', l.by_regular or l.approved_at is not null, 'hidden', l.hidden_at is not null, 'sightings', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'lat', s.lat, 'long', s.long, 'note', s.note,
        'photo', private.lost_photo('sightings', s.id))
        order by s.created_at desc, s.id), '[]')
      from private.lost_dog_sightings s where s.lost_id = l.id))
  from private.lost_dogs l where l.dog_id = p_dog_id and private.may_care_for(l.dog_id)
$$;
comment on function public.my_lost_dog is
  'The card of a dog of the caller''s, with where it was seen: {id, until, lat, long, lost, shown: to others, hidden: by a moderator, '
  'sightings: [{id, at, lat, long, note, photo: in the bucket sightings}]}; null where there is none.';

create function public.report_sighting(p_id uuid, p_lost_id uuid, p_lat double precision, p_long double precision) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  card private.lost_dogs;
begin
  -- Sent twice, where the first answer was lost.
  if exists (select from private.lost_dog_sightings s where s.id = p_id and s.user_id = me) then
    return;
  end if;
  card := private.require_card(p_lost_id);
  perform private.limit_action(me, 'report_sighting', array(select private.owner_and_keepers(card.dog_id)));
  if p_id is null or p_lat is null or p_long is null or abs(p_lat) > 90 or abs(p_long) > 180
    or exists (select from private.lost_dog_sightings s where s.id = p_id) then
    perform private.fail('invalid_input', 'Say where you saw it.');
  end if;
  insert into private.lost_dog_sightings (id, lost_id, user_id, lat, long) values (p_id, card.id, me, p_lat, p_long);
  perform private.tell_of_sighting(card, private.is_regular(me));
end
$$;
comment on function public.report_sighting is
  'Tells the people of a lost dog, and nobody else, where it was seen; not who saw it. p_id is any new id: the same one again changes '
  'nothing. A photo is then uploaded as {p_id}/{name} in the bucket sightings.';

create function public.report_lost_card(p_lost_id uuid, p_reason public.report_reason) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  perform private.require_card(p_lost_id);
  insert into private.lost_dog_reports (lost_id, reporter, reason) values (p_lost_id, me, p_reason) on conflict do nothing;
end
$$;

create function public.dog_tag(p_dog_id uuid, p_renew boolean default false) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may_care_for(p_dog_id) then
    perform private.fail('dog_not_found', 'There is no such dog.');
  end if;
  perform private.limit_rate('dog_tag', 100, '1 day');
  insert into private.dog_tags as t (dog_id, code) values (p_dog_id, replace(gen_random_uuid()::text, '-', ''))
  on conflict (dog_id) do update set code = case when p_renew then excluded.code else t.code end;
  return (select t.code from private.dog_tags t where t.dog_id = p_dog_id);
end
$$;
comment on function public.dog_tag is
  'The code in the address on a dog''s tag, 32 hexadecimal digits; a new one with p_renew: the earlier address says nothing any more.';

create function private.card_of_tag(p_code text) returns private.lost_dogs
language sql stable security definer set search_path = '' as $$
  select l.* from private.dog_tags t join private.lost_dogs l on l.dog_id = t.dog_id
  where t.code = p_code and private.is_lost(l)
    and not exists (select from private.owner_and_keepers(l.dog_id) d where private.is_blocked_with(d))
$$;
comment on function private.card_of_tag is 'Null of a code that is none, of a dog that is not lost, and across a block.';

create function public.tag_card(p_code text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_address('tag_card', 120, '1 hour');
  return (select jsonb_build_object('name', c.name, 'photo', private.lost_photo('lost-dogs', c.id))
    from private.card_of_tag(p_code) c where c.id is not null);
end
$$;
comment on function public.tag_card is 'While the dog of a tag is lost {name, photo}; null of any other code.';

create function public.send_from_tag(
  p_code text, p_note text, p_lat double precision default null, p_long double precision default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words text := nullif(btrim(private.clean_text(p_note)), '');
  card private.lost_dogs;
begin
  -- All of this before it is known whether there is such a tag: the answers must not tell it.
  perform private.limit_address('send_from_tag', 10, '1 hour');
  if char_length(words) > 300 or (p_lat is null) <> (p_long is null) or num_nonnulls(words, p_lat) = 0
    or coalesce(abs(p_lat) > 90 or abs(p_long) > 180, false) then
    perform private.fail('invalid_input', 'Write up to 300 characters, or say where the dog is.');
  elsif normalize(words, nfkc) ~* ('://|www[.]|@|[[:alnum:]][.][[:alpha:]]{2,}|'
    || replace('[d][-+./() d]{5,}[d]', 'd', '0-9\u0660-\u0669\u06f0-\u06f9')) then
    perform private.fail('no_links', 'Write without links, addresses and telephone numbers.');
  end if;
  perform private.limit_subject(md5('tag ' || p_code)::uuid, 'send_from_tag', 10, '1 day');
  card := private.card_of_tag(p_code);
  if card.id is null then
    return false;
  end if;
  insert into private.lost_dog_sightings (lost_id, lat, long, note) values (card.id, p_lat, p_long, words);
  perform private.tell_of_sighting(card, false);
  return true;
end
$$;
comment on function public.send_from_tag is
  'What a finder who scanned the tag says to the people of a lost dog; false where the dog is not lost, or there is no such tag.';

grant execute on function
  public.lost_dogs(),
  public.tag_card(text),
  public.send_from_tag(text, text, double precision, double precision)
to anon, authenticated;

grant execute on function
  public.report_lost_dog(uuid, double precision, double precision),
  public.found_dog(uuid),
  public.my_lost_dog(uuid),
  public.report_sighting(uuid, uuid, double precision, double precision),
  public.report_lost_card(uuid, public.report_reason),
  public.dog_tag(uuid, boolean)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('cards of lost dogs: a day after they ended, 30 days after a moderator took them down', 50, $$delete from private.lost_dogs l
    where l.until < now() - interval '1 day' and coalesce(l.hidden_at < now() - interval '30 days', true)$$);

insert into private.exports (relation, part, statement) values
  ('private.lost_dogs', 'lost_dogs',
    $$select l.lost_at, l.id::text, private.pick(to_jsonb(l), 'name', 'lat', 'long', 'lost_at', 'until', 'hidden_at')
      || jsonb_build_object('sightings', (
        select coalesce(jsonb_agg(private.pick(to_jsonb(s), 'lat', 'long', 'note', 'created_at') order by s.created_at, s.id), '[]')
        from private.lost_dog_sightings s where s.lost_id = l.id))
    from private.lost_dogs l join public.dogs d on d.id = l.dog_id where $1 in (d.owner, l.reporter)$$),
  ('private.lost_dog_sightings', 'sightings',
    $$select s.created_at, s.id::text, private.pick(to_jsonb(s), 'lat', 'long', 'created_at') || jsonb_build_object('dog', l.name)
    from private.lost_dog_sightings s join private.lost_dogs l on l.id = s.lost_id where s.user_id = $1$$),
  ('private.lost_dog_reports', 'reported_lost_dogs',
    $$select x.created_at, x.lost_id::text, private.pick(to_jsonb(x), 'reason', 'created_at', 'resolved_at')
      || jsonb_build_object('dog', l.name)
    from private.lost_dog_reports x join private.lost_dogs l on l.id = x.lost_id where x.reporter = $1$$),
  ('private.dog_tags', 'dog_tags',
    $$select t.created_at, t.dog_id::text, jsonb_build_object('dog', d.name, 'code', t.code, 'created_at', t.created_at)
    from private.dog_tags t join public.dogs d on d.id = t.dog_id where d.owner = $1$$);

-- desk.sql
-- The desk: one queue of everything that waits for a human. This file has what is stored of claims and decisions; what waits is
-- in desk_items.sql, and what is done about it in the files after it. The page /desk and the commands use the same functions.

create type private.waiting_item as (
  kind text, id text, park_id bigint, since timestamptz, urgent boolean, overdue boolean, author uuid, author_shown boolean);
comment on type private.waiting_item is
  'Something that waits for a moderator: urgent by its kind, overdue after the 24 hours in which stores and laws ask for an answer. '
  'author is for notifications and measures; moderators read it where author_shown says so.';

create table private.desk_kinds (
  kind text primary key,
  items text not null,
  urgent boolean not null,
  shows_record boolean not null,
  told_as text not null,
  tells_author text not null check (tells_author in ('always', 'when rejected', 'never')),
  reasons public.decision_reason[] not null,
  decide text not null,
  undo text,
  about text,
  reports text
);
comment on table private.desk_kinds is 'One row for each kind of item, and all that the desk needs to know of it; no personal data.';
comment on column private.desk_kinds.items is 'The view of what waits: id, park_id, since, author, author_shown, context.';
comment on column private.desk_kinds.shows_record is 'Whether moderators see what became of the author''s earlier contributions.';
comment on column private.desk_kinds.told_as is 'How notifications about it name it: their texts are decided.<told_as>.';
comment on column private.desk_kinds.reasons is 'Of which a rejection needs one.';
comment on column private.desk_kinds.decide is
  'SQL of $1, the id, and $2, whether it is approved: approving publishes what was contributed, or leaves what was reported; rejecting is '
  'the opposite. False where there is nothing to decide any more: then nothing is changed.';
comment on column private.desk_kinds.undo is 'A statement of the same, run after the rows of a decision are restored: for files.';
comment on column private.desk_kinds.about is 'SQL of $1: who contributed it, or whom a report of this is about, whether it waits or not.';
comment on column private.desk_kinds.reports is
  'A query of $1, ids: the id and reporter of each open report; null of what is not reported.';
alter table private.desk_kinds enable row level security;
insert into private.desk_kinds
  (kind, items, urgent, shows_record, told_as, tells_author, reasons, decide, undo, about, reports)
values
  ('park', 'private.desk_parks', false, true, 'park', 'always',
    '{duplicate,not_a_park,wrong_place,not_true,unclear,inappropriate,spam}', 'private.decide_park($1::bigint, $2)', null,
    '(select s.user_id from private.park_submitters s where s.park_id = $1::bigint)', null),
  ('correction', 'private.desk_corrections', false, true, 'correction', 'always',
    '{not_true,wrong_park,unclear,inappropriate,spam}', 'private.decide_suggestion($1::uuid, $2)', null,
    '(select s.user_id from public.park_suggestions s where s.id = private.to_uuid($1))', null),
  ('merge', 'private.desk_merges', false, true, 'correction', 'always',
    '{not_true,wrong_park,unclear,inappropriate,spam}', 'private.decide_suggestion($1::uuid, $2)', null,
    '(select s.user_id from public.park_suggestions s where s.id = private.to_uuid($1))', null),
  ('photo', 'private.desk_photos', false, true, 'photo', 'always',
    '{wrong_park,poor_photo,people_in_photo,inappropriate,spam}', 'private.decide_photo($1, $2)',
    'select private.unpublish_photo($1) where $2', '(select u.user_id from private.photo_uploaders u where u.path = $1)', null),
  ('review', 'private.desk_reviews', false, false, 'review', 'when rejected',
    '{spam,inappropriate,misinformation,fake,personal_information,harassment}', 'private.decide_review($1::uuid, $2)', null,
    '(select r.author from public.reviews r where r.id = private.to_uuid($1))',
    'select x.review_id::text, x.reporter from private.review_reports x where x.review_id::text = any ($1) and x.resolved_at is null'),
  ('photo_report', 'private.desk_photo_reports', true, true, 'photo', 'when rejected',
    '{people_in_photo,wrong_park,poor_photo,inappropriate,spam}', 'private.decide_photo_report($1, $2)',
    $$select private.move_photo($1, 'parks') where not $2$$,
    '(select u.user_id from private.photo_uploaders u where u.path = $1)',
    'select x.path, x.reporter from private.photo_reports x where x.path = any ($1) and x.resolved_at is null'),
  ('hazard', 'private.desk_hazards', true, false, 'hazard', 'when rejected',
    '{not_true,misinformation,fake,inappropriate,spam}', '$2 or private.hide_hazard($1::uuid)',
    $$select private.move_photo(f.path, 'parks') from private.hazard_photos h join public.park_photos f on f.path = h.path
      where not $2 and h.report_id::text = $1 and f.status = 'approved'$$,
    '(select r.reporter from private.live_reports r where r.id = private.to_uuid($1))', null),
  ('pack_time', 'private.desk_pack_times', false, false, 'pack_time', 'when rejected',
    '{not_true,wrong_park,inappropriate,spam}', 'private.decide_pack_time($1::uuid, $2)', null,
    '(select t.host_id from private.pack_times t where t.id = private.to_uuid($1))',
    $$select x.pack_time_id::text, x.reporter from private.pack_time_reports x
      where x.pack_time_id::text = any ($1) and x.resolved_at is null$$),
  ('lost_dog', 'private.desk_lost_dogs', true, false, 'lost_dog', 'always',
    '{not_true,inappropriate,spam}', 'private.decide_lost_dog($1::uuid, $2)', null,
    '(select l.reporter from private.lost_dogs l where l.id = private.to_uuid($1))',
    'select x.lost_id::text, x.reporter from private.lost_dog_reports x where x.lost_id::text = any ($1) and x.resolved_at is null'),
  ('person', 'private.desk_persons', true, false, 'person', 'never',
    '{harassment,fake,spam,inappropriate,personal_information}', 'private.decide_person($1::uuid, $2)', null, 'private.to_uuid($1)',
    'select distinct x.user_id::text, x.reporter from private.user_reports x where x.user_id::text = any ($1) and x.resolved_at is null');

create table private.desk_claims (
  kind text not null,
  id text not null,
  moderator uuid not null references public.user_roles (user_id) on delete cascade,
  expires_at timestamptz not null,
  primary key (kind, id)
);
comment on table private.desk_claims is 'Who looks at which item; two moderators never look at the same one.';
alter table private.desk_claims enable row level security;

create table private.desk_decisions (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  item_id text not null,
  park_id bigint references public.parks (id) on delete set null,
  decision text not null check (decision in ('approve', 'reject', 'warn', 'limit', 'suspend', 'ban', 'post', 'withdraw', 'set', 'in_hand',
    'done')),
  reason public.decision_reason,
  actor uuid references public.users (id) on delete set null,
  subject uuid references public.users (id) on delete set null,
  decided_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table private.desk_decisions is 'What was decided, for a year; moderators see it as history.';
comment on column private.desk_decisions.subject is
  'Whom it was about, where moderators may know: never the author of an anonymous review, nor who gave a park, a correction or a photo.';
comment on column private.desk_decisions.actor is 'Null for an operator, or where the moderator''s account is deleted.';
comment on column private.desk_decisions.decision is 'Of moderators, but for the last five: those are of towns (towns.sql).';
alter table private.desk_decisions enable row level security;

create table private.desk_changes (
  id bigint generated always as identity primary key,
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  before jsonb,
  after jsonb,
  people uuid[] not null
);
comment on table private.desk_changes is
  'The rows that a decision changed, as they were and as they became, so that it can be undone for 30 days.';
comment on column private.desk_changes.people is 'Who stands in them: with the account of one of them the copy goes.';
alter table private.desk_changes enable row level security;

create table private.desk_moves (
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  from_park bigint not null references public.parks (id) on delete cascade,
  into_park bigint not null references public.parks (id) on delete cascade,
  moved jsonb not null,
  primary key (decision_id, relation)
);
comment on table private.desk_moves is
  'What a merger moved from one park to another and changed in nothing else, so that it can be undone for 30 days: hundreds of rows would '
  'take a tenth of a second in desk_changes.';
comment on column private.desk_moves.moved is
  'The ids of the rows; of favourites, whose they are.';
alter table private.desk_moves enable row level security;

create index on private.desk_claims (moderator);
create index on private.desk_decisions (kind, item_id);
create index on private.desk_decisions (park_id);
create index on private.desk_decisions (actor);
create index on private.desk_decisions (subject);
create index desk_decisions_by_time on private.desk_decisions (decided_at);
create index on private.desk_changes (decision_id);
create index desk_changes_people on private.desk_changes using gin (people);
create index on private.desk_moves (from_park);
create index on private.desk_moves (into_park);

-- Triggers: what a decision changes ------------------------------------------------------------------------------

create function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, people)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id = any (array(
      -- Most values are too short or too long to be an id: only the others are looked at.
      select private.to_uuid(f.value) from (select * from jsonb_each_text(was) union all select * from jsonb_each_text(is_now)) f
      where length(f.value) = 36))));
  return null;
end
$$;
comment on function private.record_desk_change is
  'Keeps what private.carry_out changes; a table whose rows decisions change has this trigger.';

create trigger record_desk_change after insert or update or delete on public.parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_translations
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_suggestions
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_photos
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.review_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.user_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.photo_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.pack_times
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.pack_time_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.lost_dogs
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.lost_dog_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.live_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.former_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
-- What else moves with a park that is merged: the rest of it is in desk_moves.
create trigger record_desk_change after insert or update or delete on public.favourite_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.park_ratings
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.hidden_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.replaced_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

-- An undone notice stays, withdrawn: deleted, nothing would say that it changed.
create trigger record_desk_change after update on private.park_notices
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.measures
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create function private.forget_at_desk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.desk_changes c where c.people @> array[old.id];
  update private.desk_moves m set moved = m.moved - old.id::text where m.relation = 'public.favourite_parks' and m.moved ? old.id::text;
  delete from private.desk_decisions d where d.kind = 'person' and d.item_id = old.id::text;
  delete from private.desk_claims c where c.kind = 'person' and c.id = old.id::text;
  return old;
end
$$;
comment on function private.forget_at_desk is
  'With an account go the copies for undoing that it stands in, and what was decided about the person.';
create trigger forget_at_desk before delete on public.users for each row execute function private.forget_at_desk();

insert into private.retention (name, run_order, statement) values
  ('copies for undoing: 30 days', 60, $$delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id
    and d.decided_at < now() - private.undo_time()$$),
  ('moves of mergers: 30 days', 60, $$delete from private.desk_moves m using private.desk_decisions d where d.id = m.decision_id
    and d.decided_at < now() - private.undo_time()$$),
  ('files of rejected photos: 30 days', 70, $$select private.move_photo(f.path, null) from public.park_photos f
    where f.status = 'rejected' and not exists (
      select from private.desk_decisions d
      where d.decided_at > now() - private.undo_time() and ((d.kind in ('photo', 'photo_report') and d.item_id = f.path)
        or (d.kind = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))))$$),
  ('decisions: one year', 80, $$delete from private.desk_decisions d where d.decided_at < now() - interval '1 year'$$),
  ('claims: until they expire', 50, $$delete from private.desk_claims c where c.expires_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('private.desk_decisions', 'decisions',
    $$select d.decided_at, d.id::text, private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at')
    from private.desk_decisions d where d.subject = $1$$);

insert into private.exports (relation, left_out) values
  ('private.desk_claims', 'which item a moderator has open, for ten minutes'),
  ('private.desk_changes', 'rows as they were before a decision, for 30 days, of what the export has itself; they go with the account'),
  ('private.desk_moves',
    'ids of visits, meetings, reviews and favourites that moved with a park, for 30 days; the export has these itself');

-- desk_items.sql
-- What waits at the desk: a view for each kind of item, with what a moderator is shown of it, and who may decide about it.
-- A new kind is a view here, and its row in private.desk_kinds (desk.sql).

create function private.giver_record(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'approved', count(*) filter (where g.status = 'approved'), 'rejected', count(*) filter (where g.status = 'rejected'))
  from (
    select p.status from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = p_user_id
    union all select s.status from public.park_suggestions s where s.user_id = p_user_id
    union all select f.status from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = p_user_id
  ) g
$$;
comment on function private.giver_record is 'What became of all that somebody gave; moderators see this instead of who it was.';

create function private.park_summary(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'status', p.status, 'name', t.name, 'city', t.city, 'address',
    t.address)
  from public.parks p
  left join lateral private.named_park(p.id, p_language) t on true
  where p.id = p_park_id
$$;

create function private.parks_nearby(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.park_summary(n.id, p_language) || jsonb_build_object('metres', n.metres) order by n.metres), '[]')
  from (
    select o.id, round(private.metres_between(o.lat, o.long, p.lat, p.long)) as metres
    from public.parks p join public.parks o on o.id <> p.id and o.status = 'approved'
      and o.lat between p.lat - 0.005 and p.lat + 0.005 and o.long between p.long - 0.006 and p.long + 0.006
    where p.id = p_park_id order by 2 limit 5
  ) n
$$;
comment on function private.parks_nearby is
  'The approved parks within about 500 metres, nearest first, at most five: a new one may be among them.';

create function private.person_history(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(h.line order by h.at desc), '[]') from (
    select m.taken_at as at, jsonb_build_object('measure_id', m.id, 'decision', m.measure, 'reason', m.reason, 'until', m.until,
      'at', m.taken_at, 'lifted_at', m.lifted_at) as line
    from private.measures m where m.user_id = p_user_id and m.shown
    union all
    select d.decided_at, jsonb_build_object('kind', d.kind, 'decision', d.decision, 'reason', d.reason, 'at', d.decided_at, 'lifted_at',
      d.undone_at)
    from private.desk_decisions d where d.subject = p_user_id and d.decision in ('approve', 'reject')
  ) h
$$;
comment on function private.person_history is 'What was decided about a person, newest first, of what moderators may know.';

create function private.suggestion_context(p_suggestion public.park_suggestions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'park', private.park_summary(p_suggestion.park_id, private.my_language()),
    'other', private.park_summary(p_suggestion.double_of, private.my_language()),
    'then', p_suggestion.before,
    'before', private.park_fields(p_suggestion.park_id),
    'after', private.suggested_fields(p_suggestion) - 'double_of')
$$;

-- Each view finds its oldest items, and one by its id, by an index that has only what waits: thousands may. The columns after
-- urgent are computed only where they are asked for.
create view private.desk_parks as
select p.id::text as id, p.id as park_id, p.created_at as since,
  (select s.user_id from private.park_submitters s where s.park_id = p.id) as author, false as author_shown,
  jsonb_build_object(
    'park', private.park_summary(p.id, private.my_language()),
    'after', jsonb_strip_nulls(private.pick(to_jsonb(p), 'size', 'materials', 'shade', 'has_facilities', 'facts', 'source', 'licence')),
    'nearby', private.parks_nearby(p.id, private.my_language())) as context
from public.parks p where p.status = 'pending';

create view private.desk_corrections as
select s.id::text as id, s.park_id, s.created_at as since, s.user_id as author,
  false as author_shown,
  private.suggestion_context(s) as context
from public.park_suggestions s where s.status = 'pending' and s.claim is distinct from 'double';

create view private.desk_merges as
select s.id::text as id, s.park_id, s.created_at as since, s.user_id as author,
  false as author_shown,
  private.suggestion_context(s) as context
from public.park_suggestions s where s.status = 'pending' and s.claim = 'double';

create view private.desk_photos as
select w.path as id, f.park_id, w.since,
  (select u.user_id from private.photo_uploaders u where u.path = w.path) as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('path', f.path, 'bucket', (
      select min(o.bucket_id) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = f.path)),
    'of_hazard', f.of_hazard) as context
from private.waiting_photos w join public.park_photos f on f.path = w.path
-- One that was approved leaves the queue while its file is moved.
where not exists (select from private.jobs j where j.kind = 'move-photo' and j.key = w.path and j.failed_at is null);

-- What was reported waits since the first of its open reports.
create view private.desk_reviews as
select x.review_id::text as id, r.park_id, x.created_at as since, r.author,
  not r.anonymous and r.author is not null as author_shown,
  jsonb_build_object(
    'park', private.park_summary(r.park_id, private.my_language()),
    'review', jsonb_build_object('title', r.title, 'content', r.content, 'rank', r.rank, 'anonymous', r.anonymous,
      'day', private.park_day(r.created_at), 'hidden', r.hidden_at is not null),
    'person', (select jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id))
      from public.users u where u.id = r.author and not r.anonymous),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', y.reason, 'count', y.many) order by y.many desc)
      from (select v.reason, count(*) as many from private.review_reports v where v.review_id = r.id
        and v.resolved_at is null group by v.reason) y)) as context
from private.review_reports x join public.reviews r on r.id = x.review_id
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.review_reports e
  where e.review_id = x.review_id and e.resolved_at is null order by e.created_at, e.reporter limit 1);

create view private.desk_photo_reports as
select x.path as id, f.park_id, x.created_at as since,
  (select u.user_id from private.photo_uploaders u where u.path = x.path) as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', 'parks',
    'path', f.path),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
      from private.photo_reports v where v.path = f.path and v.resolved_at is null)) as context
from private.photo_reports x join public.park_photos f on f.path = x.path
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.photo_reports e
  where e.path = x.path and e.resolved_at is null order by e.created_at, e.reporter limit 1);

-- A hazard shows at once; a moderator looks at each that nobody has looked at.
create view private.desk_hazards as
select r.id::text as id, r.park_id, r.reported_at as since, r.reporter as author,
  false as author_shown,
  jsonb_build_object('park', private.park_summary(r.park_id, private.my_language()), 'after', jsonb_build_object(
    'hazard', r.hazard, 'verified', r.verified_at is not null,
    'confirmations', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
    'denials', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'))) as context
from private.live_reports r
where r.hazard is not null and r.hidden_at is null and r.ended_at is null and r.expires_at > now() and not exists (
  select from private.desk_decisions d where d.kind = 'hazard' and d.item_id = r.id::text and d.undone_at is null);

create view private.desk_pack_times as
select x.pack_time_id::text as id, t.park_id, x.created_at as since, t.host_id as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(t.park_id, private.my_language()),
    'after', jsonb_build_object('weekday', t.weekday, 'starts', to_char(t.starts, 'HH24:MI')),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
      from private.pack_time_reports v where v.pack_time_id = t.id and v.resolved_at is null)) as context
from private.pack_time_reports x join private.pack_times t on t.id = x.pack_time_id
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.pack_time_reports e
  where e.pack_time_id = x.pack_time_id and e.resolved_at is null order by e.created_at, e.reporter limit 1);

-- Each card is looked at once, and again where it is reported.
create view private.desk_lost_dogs as
select l.id::text as id, null::bigint as park_id, coalesce(x.since, l.lost_at) as since, l.reporter as author, false as author_shown,
  jsonb_build_object('after', jsonb_build_object('dog', l.name),
    'photo', case when p.path is not null then jsonb_build_object('bucket', 'lost-dogs', 'path', p.path) end,
    'reports', x.reports) as context
from private.lost_dogs l cross join private.lost_photo('lost-dogs', l.id) p (path)
left join lateral (
  select min(v.created_at) as since,
    jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at) as reports
  from private.lost_dog_reports v where v.lost_id = l.id and v.resolved_at is null
) x on true
where l.hidden_at is null and (x.since is not null or (l.approved_at is null and l.until > now()));

create view private.desk_persons as
select x.user_id::text as id, null::bigint as park_id, x.created_at as since,
  x.user_id as author, true as author_shown,
  (select jsonb_build_object('person', jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id)), 'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1, 'note', v.note) order by v.created_at)
      from private.user_reports v where v.user_id = u.id and v.resolved_at is null))
    from public.users u where u.id = x.user_id) as context
from private.user_reports x
where x.resolved_at is null and x.id = (
  select e.id from private.user_reports e
  where e.user_id = x.user_id and e.resolved_at is null order by e.created_at, e.id limit 1);

create function private.barred_authors(p_member uuid) returns table (kind text, author uuid)
language sql stable security definer set search_path = '' as $$
  -- Where there is one member alone, somebody has to decide about what they contributed; the log names them.
  select k.kind, p_member from private.desk_kinds k
  where (k.reports is not null and p_member is not null) or exists (
    select from public.user_roles r where r.user_id <> p_member and r.role > 'town')
  union all
  select 'person', r.user_id from public.user_roles r
  where r.user_id <> p_member and r.role > 'town'
    and not exists (select from public.user_roles m where m.user_id = p_member and m.role = 'administrator')
$$;
comment on function private.barred_authors is
  'Whose items of which kinds a member of the desk leaves to others: a report of themself or of what they posted, what they contributed, '
  'and but for administrators reports of moderators. Operators (null) decide about everything.';

-- Not planned for all kinds where one is asked for; only literals, so that each view uses its own index.
create function private.waiting_items(
  p_kinds text[] default null, p_ids text[] default null, p_member uuid default null, p_after timestamptz default '-infinity',
  p_limit integer default null
) returns setof private.waiting_item
language plpgsql stable security definer set search_path = '' as $$
declare
  statement text := (
    select string_agg(format('(select %L::text, i.id, i.park_id, i.since, %L::boolean, private.is_overdue(i.since), i.author,
        i.author_shown from %s i where i.since > $1', k.kind, k.urgent, k.items)
      || case when p_ids is not null then ' and i.id = any ($2)' else '' end
      || case when barred.authors is not null then format(' and coalesce(i.author <> all (%L::uuid[]), true)', barred.authors) else '' end
      || ' order by i.since, i.id limit $3)', ' union all ')
    from private.desk_kinds k
    left join lateral (
      select array_agg(b.author) as authors from private.barred_authors(p_member) b where b.kind = k.kind
    ) barred on p_member is not null
    where p_kinds is null or k.kind = any (p_kinds));
begin
  if statement is not null then
    return query execute 'select * from (' || statement || ') w order by 4, 1, 2 limit $3' using p_after, p_ids, p_limit;
  end if;
end
$$;
comment on function private.waiting_items is
  'What waits: of these kinds, with these ids, since after a moment, and only what a member of the desk may decide; all of them where '
  'null. Oldest first, at most so many.';

-- Without a search_path of its own it becomes part of the statement that uses it: for each value of a row that changes.
create function private.is_overdue(p_since timestamptz) returns boolean
language sql stable as $$
  select p_since < now() - interval '24 hours'
$$;

create function private.item_name(p_kind text, p_id text) returns text
language sql volatile security definer set search_path = '' as $$
  select p_kind || ':' || case when p_kind = 'person' then coalesce(private.audit_handle(private.to_uuid(p_id))::text, 'unknown')
    else p_id end
$$;
comment on function private.item_name is 'How the audit log names an item: a person by the handle.';

create function private.may_decide(p_kind text, p_author uuid, p_member uuid default auth.uid()) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from private.barred_authors(p_member) b where b.kind = p_kind and b.author = p_author)
$$;
comment on function private.may_decide is
  'Whether a member of the desk, the caller unless another is named, decides about something of this author.';

create function private.reported_author(p_kind text, p_id text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  query text := (select 'select ' || k.about from private.desk_kinds k where k.kind = p_kind);
  author uuid;
begin
  if query is not null then
    execute query into author using p_id;
  end if;
  return author;
end
$$;
comment on function private.reported_author is 'Who contributed this, or whom a report of it is about, whether it waits or not.';

-- desk_decision_parts.sql
-- What decisions are made of: claims, what each kind of item needs to be decided, who is told, and the log.

-- Functions: claims ----------------------------------------------------------------------------------------------

create function private.claim_item(p_kind text, p_id text, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- An operator works alone, and sees that somebody else is at it by being refused.
  if p_moderator is null then
    return not exists (select from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.expires_at > now());
  end if;
  insert into private.desk_claims as c (kind, id, moderator, expires_at) values (p_kind, p_id, p_moderator, now() + interval '10 minutes')
  on conflict (kind, id) do update set moderator = excluded.moderator, expires_at = excluded.expires_at
  where c.moderator = excluded.moderator or c.expires_at <= now();
  return found;
end
$$;
comment on function private.claim_item is
  'Makes an item this moderator''s for ten minutes; false where another one has it. Whoever claims or decides has locked the item '
  '(private.lock_items).';

create function private.lock_items(p_kind text, p_ids text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is
  'Locks items in one order, until the transaction ends; what is read before does not count any more.';

create function private.item_of(p_kind text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  kind private.desk_kinds := (select k from private.desk_kinds k where k.kind = p_kind);
  item jsonb;
begin
  if kind.kind is not null then
    execute $sql$
      select jsonb_build_object('kind', $1.kind, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', $1.urgent,
          'overdue', private.is_overdue(i.since), 'reasons', $1.reasons)
        || i.context
        || case when i.author is not null and not i.author_shown and $1.shows_record
          then jsonb_build_object('giver', private.giver_record(i.author)) else '{}' end
      from $sql$ || kind.items || ' i where i.id = $2 and private.may_decide($1.kind, i.author)' into item using kind, p_id;
  end if;
  return item;
end
$$;

-- Functions: deciding --------------------------------------------------------------------------------------------

create function private.carry_out(p_kind text, p_id text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  done boolean;
begin
  execute (select 'select ' || k.decide from private.desk_kinds k where k.kind = p_kind) into done using p_id, p_approve;
  return done;
end
$$;
comment on function private.carry_out is 'Does what desk_kinds.decide says.';

create function private.tell_authors(p_kind text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason)
  returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('kind', k.told_as, 'park_id', i.park_id, 'approved', p_approve,
    'reason', p_reason))
  from unnest(p_items) i join private.desk_kinds k on k.kind = p_kind
  where i.author is not null and k.tells_author <> 'never' and not (p_approve and k.tells_author = 'when rejected')
$$;

create function private.open_reports(p_kind text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = '' as $$
declare
  query text := (select k.reports from private.desk_kinds k where k.kind = p_kind);
begin
  if query is not null then
    return query execute query using p_ids;
  end if;
end
$$;
comment on function private.open_reports is 'Who reported items of a kind and waits for an answer, each once for an item.';

create function private.tell_reporters(p_kind text, p_reporters uuid[], p_park_ids bigint[], p_approve boolean) returns void
language sql volatile security definer set search_path = '' as $$
  -- Whether a review or a photo is still there, everybody sees; what was done about a person is not told.
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', r.reporter, jsonb_strip_nulls(jsonb_build_object(
    'kind', 'reported_' || k.told_as, 'park_id', r.park_id, 'approved', case when k.tells_author <> 'never' then p_approve end))
  from unnest(p_reporters, p_park_ids) r (reporter, park_id) join private.desk_kinds k on k.kind = p_kind
$$;
comment on function private.tell_reporters is 'Tells who reported items, each of a park or of none, that somebody looked at them.';

create function private.begin_decision(
  p_kind text, p_id text, p_park_id bigint, p_subject uuid, p_decision text, p_reason public.decision_reason, p_actor uuid
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  decision_id uuid;
begin
  insert into private.desk_decisions (kind, item_id, park_id, decision, reason, actor, subject)
  values (p_kind, p_id, p_park_id, p_decision, p_reason, p_actor, p_subject)
  returning id into decision_id;
  -- What changes from here on is recorded under this decision.
  perform set_config('packpark.decision', decision_id::text, true);
  return decision_id;
end
$$;

create function private.audit_decisions(p_decisions uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(d.decision, array_agg(private.item_name(d.kind, d.item_id)),
    array_agg(jsonb_strip_nulls(jsonb_build_object('decision', d.id, 'reason', d.reason))))
  from private.desk_decisions d where d.id = any (p_decisions) group by d.decision;
end
$$;

create function private.end_decision(p_decision uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('packpark.decision', '', true);
  perform private.audit_decisions(array[p_decision]);
  return p_decision;
end
$$;
comment on function private.end_decision is
  'What changes from here on is no part of a decision (private.begin_decision), which the log has now.';

create function private.enter_desk(p_alone boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_alone then
    perform pg_advisory_xact_lock(hashtextextended('desk', 0));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('desk', 0));
  end if;
end
$$;
comment on function private.enter_desk is
  'Before a decision locks anything else: decisions about an item go side by side, and what changes rows of several items goes alone, so '
  'that no two ever wait for each other.';

-- desk_queue.sql
-- The queue as moderators ask for it: counts, lists, the next item, and claims.

-- RPCs: the queue ------------------------------------------------------------------------------------------------

create function public.desk_counts()
returns table (kind text, waiting integer, others integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
begin
  return query
    select w.kind, count(*)::integer, (count(*) filter (where c.moderator is not null and c.moderator is distinct from me))::integer
    from private.desk_kinds k
    cross join lateral private.waiting_items(p_kinds => array[k.kind], p_member => me, p_limit => 100) w
    left join private.desk_claims c on c.kind = w.kind and c.id = w.id and c.expires_at > now()
    group by w.kind order by min(w.since), w.kind;
end
$$;
comment on function public.desk_counts is
  'How much of each kind waits that the caller may decide, counted to 100, the kind of the oldest first; others: how much of that is open '
  'at other moderators.';

create function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    with items as materialized (
      select * from private.waiting_items(p_kinds, p_member => me, p_limit => 100)
    ), names as materialized (
      -- Of many items of a park its name is looked up once.
      select p.park_id, n.name from (select distinct w.park_id from items w) p cross join lateral private.named_park(p.park_id, language) n
    )
    select i.kind, i.id, i.park_id, n.name, i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from items i
    left join names n on n.park_id = i.park_id
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    order by i.since, i.kind, i.id;
end
$$;
comment on function public.desk_queue is
  'What waits and the caller may decide, oldest first, at most 100; overdue after 24 hours; claimed: mine, other or null.';

create function public.desk_claim(p_kind text, p_id text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  item jsonb;
begin
  perform private.lock_items(p_kind, array[p_id]);
  item := private.item_of(p_kind, p_id);
  if item is null then
    return null;
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  return item;
end
$$;
comment on function public.desk_claim is 'Opens an item for the caller, for ten minutes at a time; null where it no longer waits.';

create function public.desk_next(p_kinds text[] default null, p_after timestamptz default '-infinity') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  item record;
  most integer;
begin
  -- Nearly always one of the first is free.
  foreach most in array array[50, 500] loop
    for item in
      select i.kind, i.id from private.waiting_items(p_kinds, null, me, p_after, most) i
      where not exists (select from private.desk_claims c where c.kind = i.kind and c.id = i.id and c.moderator <> me
        and c.expires_at > now())
      order by i.since, i.kind, i.id
    loop
      -- Another moderator who asks at the same moment gets the next one instead of waiting.
      if pg_try_advisory_xact_lock(hashtextextended('desk:' || item.kind || ':' || item.id, 0))
        and private.claim_item(item.kind, item.id, me) then
        return private.item_of(item.kind, item.id);
      end if;
    end loop;
  end loop;
  return null;
end
$$;
comment on function public.desk_next is
  'Claims and opens the oldest item that no other moderator has, among those that wait since after p_after.';

create function public.desk_release(p_kind text, p_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
begin
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.moderator = me;
end
$$;

grant execute on function
  public.desk_counts(),
  public.desk_queue(text[]),
  public.desk_claim(text, text),
  public.desk_next(text[], timestamptz),
  public.desk_release(text, text)
to authenticated, service_role;

-- desk_decide.sql
-- Decisions about one item or many, and changes of parks that nobody suggested.

create function private.decide_items(
  p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason, p_member uuid, p_all boolean
) returns uuid[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  barred uuid[] := array(select b.author from private.barred_authors(p_member) b where b.kind = p_kind);
  items private.waiting_item[];
  item private.waiting_item;
  decisions uuid[];
  -- Side by side: who reported which items.
  reported text[];
  reporters uuid[];
  left_out text[] := '{}';
begin
  -- Asked first: whether something about them waits is not for them to learn.
  if barred <> '{}' and exists (select from unnest(p_ids) i (id) where private.reported_author(p_kind, i.id) = any (barred)) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  perform private.lock_items(p_kind, p_ids);
  items := array(
    select i from private.waiting_items(array[p_kind], p_ids) i
    where not exists (
      select from private.desk_claims c where c.kind = p_kind and c.id = i.id and c.expires_at > now() and c.moderator is distinct
        from p_member)
    order by i.id);
  if p_all and cardinality(items) < cardinality(p_ids) then
    if (select count(*) from private.waiting_items(array[p_kind], p_ids)) = cardinality(p_ids) then
      perform private.fail('claimed_by_other', 'Another moderator looks at this.');
    end if;
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if items = '{}' then
    return '{}';
  end if;
  if p_approve is null or (not p_approve and not exists (
    select from private.desk_kinds k where k.kind = p_kind and p_reason = any (k.reasons))) then
    perform private.fail('reason_needed', 'A refusal needs one of the reasons of this kind.');
  end if;
  decisions := array(select gen_random_uuid() from unnest(items));
  insert into private.desk_decisions (id, kind, item_id, park_id, decision, reason, actor, subject)
  select i.decision, p_kind, i.id, i.park_id, case when p_approve then 'approve' else 'reject' end, case when not p_approve
    then p_reason end,
    p_member, case when i.author_shown then i.author end
  from unnest(items, decisions) i (kind, id, park_id, since, urgent, overdue, author, author_shown, decision);
  select coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.reporter), '{}') into reported, reporters
    from private.open_reports(p_kind, p_ids) r;
  for place in 1 .. cardinality(items) loop
    item := items[place];
    -- What changes from here on is recorded under this decision.
    perform set_config('packpark.decision', decisions[place]::text, true);
    if not private.carry_out(p_kind, item.id, p_approve) then
      left_out := left_out || item.id;
    end if;
  end loop;
  perform set_config('packpark.decision', '', true);
  if left_out <> '{}' then
    if p_all then
      perform private.fail('already_decided', 'This no longer waits for a decision.');
    end if;
    delete from private.desk_decisions d where d.id = any (decisions) and d.item_id = any (left_out);
    select array_agg(d.id), array_agg(i) into decisions, items
    from unnest(items) i join private.desk_decisions d on d.id = any (decisions) and d.item_id = i.id;
  end if;
  perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(i.park_id), p_approve)
  from unnest(reported, reporters) r (id, reporter) join unnest(items) i on i.id = r.id
  having count(*) > 0;
  perform private.tell_authors(p_kind, items, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id in (select i.id from unnest(items) i);
  return coalesce(decisions, '{}');
end
$$;
comment on function private.decide_items is
  'The same decision about items of a kind, for a member of the desk or an operator (null): the decisions, which are not in the audit log '
  'yet. What does not wait, or another moderator has, is left out; where all are asked for (p_all), it is refused.';

create function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  perform private.enter_desk(p_kind = 'merge');
  decisions := private.decide_items(p_kind, array[p_id], p_approve, p_reason, me, true);
  perform private.audit_decisions(decisions);
  return decisions[1];
end
$$;
comment on function public.desk_decide is
  'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal '
  'needs one of the item''s reasons.';

create function public.desk_decide_many(p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null)
  returns integer
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  if coalesce(cardinality(p_ids) > 500, true) then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  -- Parks that wait share no row; two who decide about the same ones lock them in one order.
  perform private.enter_desk(p_kind is distinct from 'park');
  decisions := private.decide_items(p_kind, p_ids, p_approve, p_reason, me, false);
  perform private.audit_decisions(decisions);
  return cardinality(decisions);
end
$$;
comment on function public.desk_decide_many is
  'The same decision about many items of a kind, such as the parks of an import; how many it could be made about.';

create function public.desk_change_park(p_park_id bigint, p_change text, p_into bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
  moved jsonb;
  done boolean := true;
begin
  if exists (
    select from unnest(array[p_park_id, p_into]) p (id) where not private.may_decide('park', private.reported_author('park', p.id::text))
  ) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  perform private.enter_desk(p_alone => true);
  decision_id := private.begin_decision('park', p_park_id::text, p_park_id, null, case p_change when 'relist' then 'approve'
    else 'reject' end, null, me);
  case p_change
    when 'merge' then moved := private.merge_parks(p_park_id, p_into);
    when 'closed', 'notDogPark' then done := private.close_park(p_park_id, p_change::public.park_claim);
    when 'relist' then done := private.relist_park(p_park_id);
    else perform private.fail('invalid_input', 'A park is merged, closed, notDogPark or relisted.');
  end case;
  if not done then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  perform private.end_decision(decision_id);
  return jsonb_build_object('decision', decision_id) || coalesce(moved, '{}');
end
$$;
comment on function public.desk_change_park is
  'Merges a park into another (merge), takes it off the map (closed, notDogPark) or puts it there again (relist), without anybody having '
  'suggested it: {decision} and, of a merge, how much moved.';

grant execute on function
  public.desk_decide(text, text, boolean, public.decision_reason),
  public.desk_decide_many(text, text[], boolean, public.decision_reason),
  public.desk_change_park(bigint, text, bigint)
to authenticated, service_role;

-- desk_undo.sql
-- Undoing a decision within thirty days: rows go back to what they were, unless they changed since.

create function private.undo_time() returns interval language sql immutable set search_path = '' as $$ select interval '30 days' $$;
comment on function private.undo_time is 'How long a decision of the desk can be undone.';

create function private.take_back_notices(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = '' as $$
  -- They were written in the transaction of the decision, so they have its moment. Of several alike in one go, one.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'kind' in (
        select unnest(array[k.told_as, 'reported_' || k.told_as]) from private.desk_kinds k where k.kind = p_decision.kind)
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select r.reporter from private.open_reports(p_decision.kind, array[p_decision.item_id]) r
        union select i.author from private.waiting_items(array[p_decision.kind], array[p_decision.item_id]) i
        -- No item until its file is back.
        union select u.user_id from private.photo_uploaders u where p_decision.kind = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id;
  delete from public.notifications n
  where p_decision.kind = 'town_hazard' and n.type = 'deskDecision' and n.created_at = p_decision.decided_at
    and n.data ->> 'report_id' = p_decision.item_id
$$;
comment on function private.take_back_notices is
  'What was undone is not told any more, unless its mail is out; run after the rows are restored.';

create function private.restore_row(p_relation text, p_before jsonb, p_after jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  relation regclass := p_relation::regclass;
  fields text;
  keys text;
  present jsonb;
begin
  select string_agg(quote_ident(a.attname), ', ') filter (where a.attgenerated = ''),
    string_agg(quote_ident(a.attname), ', ') filter (where a.attnum = any (i.indkey))
  into fields, keys
  from pg_catalog.pg_attribute a join pg_catalog.pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if p_after is null then
    execute 'insert into ' || relation || ' (' || fields || ') overriding system value select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1) on conflict do nothing' using p_before;
    return;
  end if;
  execute 'select to_jsonb(t) from ' || relation || ' t where (' || keys || ') = (select ' || keys
    || ' from jsonb_populate_record(null::' || relation || ', $1)) for update' into present using p_after;
  if p_before is null then
    if present = p_after then
      execute 'delete from ' || relation || ' where (' || keys || ') = (select ' || keys
        || ' from jsonb_populate_record(null::' || relation || ', $1))' using p_after;
    end if;
    return;
  end if;
  -- Only what still is as the decision left it.
  select string_agg(quote_ident(a.attname), ', ') into fields
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and p_before -> a.attname::text is distinct from p_after -> a.attname::text and present -> a.attname::text = p_after -> a.attname::text;
  if fields is not null then
    execute 'update ' || relation || ' set (' || fields || ') = (select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1)) where (' || keys || ') = (select ' || keys
      || ' from jsonb_populate_record(null::' || relation || ', $2))' using p_before, p_after;
  end if;
end
$$;
comment on function private.restore_row is
  'Undoes one change of a row: an inserted row goes, a deleted one comes back, and of an updated one each column goes back that was not '
  'changed since.';

create function private.move_to_park(p_relation text, p_from bigint, p_into bigint, p_which text default 'true') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  decision text := current_setting('packpark.decision', true);
  moved jsonb;
begin
  -- The move is kept, so that the rows need not be.
  perform set_config('packpark.decision', '', true);
  execute 'with moved as (update ' || p_relation::regclass || ' t set park_id = $2 where t.park_id = $1 and ' || p_which
    || ' returning t.' || private.key_of_moved(p_relation) || ' as key) select jsonb_agg(m.key) from moved m' into moved using p_from,
      p_into;
  perform set_config('packpark.decision', coalesce(decision, ''), true);
  -- Operators' own SQL is no decision.
  if decision <> '' and moved is not null then
    insert into private.desk_moves (decision_id, relation, from_park, into_park, moved) values (decision::uuid, p_relation, p_from,
      p_into, moved);
  end if;
end
$$;
comment on function private.move_to_park is
  'Moves the rows of a park, or those of which a condition holds, to another park: of a table of which nothing else changes.';

create function private.key_of_moved(p_relation text) returns text
language sql immutable set search_path = '' as $$
  select case p_relation when 'public.favourite_parks' then 'user_id' else 'id' end
$$;
comment on function private.key_of_moved is 'By what a row that moved is known again.';

create function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  execute 'update ' || p_move.relation::regclass || ' t set park_id = $1 where t.park_id = $2 and t.'
    || private.key_of_moved(p_move.relation)
    || ' in (select m.key::uuid from jsonb_array_elements_text($3) m (key))' using p_move.from_park, p_move.into_park, p_move.moved;
end
$$;
comment on function private.move_back is
  'Undoes one move of a merger: what was moved since, or is gone, stays so.';

create function private.undo_decision(p_decision_id uuid, me uuid) returns boolean
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  decision private.desk_decisions;
  change private.desk_changes;
  claims text := current_setting('request.jwt.claims', true);
  undo text;
begin
  perform private.enter_desk(exists (select from private.desk_moves m where m.decision_id = p_decision_id)
    or exists (select from private.desk_changes c where c.decision_id = p_decision_id and c.relation = 'public.former_parks'));
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - private.undo_time() for update;
  if decision.id is null then
    return false;
  end if;
  -- Rows are put back from the last one to the first: a decision about the same item or its park locks them the other way round.
  perform private.lock_items(decision.kind, array[decision.item_id]);
  perform from public.parks p where p.id = decision.park_id for no key update;
  -- Of an author whom moderators may not know, only that one learns here that it is not for them.
  if not private.may_decide(decision.kind, private.reported_author(decision.kind, decision.item_id)) or not private.may_decide(
    case when decision.decision in ('warn', 'limit', 'suspend', 'ban') then 'person' else decision.kind end, decision.subject) then
    perform private.fail('not_allowed', 'Somebody else undoes this.', '42501');
  end if;
  -- Triggers trust what comes without a caller: what is put back is not a new post.
  perform set_config('request.jwt.claims', '', true);
  perform private.move_back(m) from private.desk_moves m where m.decision_id = decision.id;
  begin
    for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
      perform private.restore_row(change.relation, change.before, change.after);
    end loop;
  exception when unique_violation then
    perform private.fail('reported_again', 'The same was reported again since.');
  end;
  if decision.decision = 'post' then
    update private.park_notices n set withdrawn_at = now() where n.id::text = decision.item_id;
  end if;
  -- What is listed again is no former park, also where its address led on to a third one by then.
  delete from public.former_parks f using public.parks p
  where f.park_id = decision.park_id and p.id = f.park_id and p.status = 'approved';
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  -- The files follow.
  undo := (select k.undo from private.desk_kinds k where k.kind = decision.kind and decision.decision in ('approve', 'reject'));
  if undo is not null then
    execute undo using decision.item_id, decision.decision = 'approve';
  end if;
  delete from private.desk_changes c where c.decision_id = decision.id;
  delete from private.desk_moves m where m.decision_id = decision.id;
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  perform private.take_back_notices(decision);
  if me is not null and exists (select from private.desk_kinds k where k.kind = decision.kind) then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  perform private.audit('undo', private.item_name(decision.kind, decision.item_id), jsonb_build_object('decision', decision.id));
  return true;
end
$$;

create function public.desk_undo(p_decision_id uuid) returns boolean
language sql volatile security definer set search_path = '' as $$
  select private.undo_decision(p_decision_id, private.require_role())
$$;
comment on function public.desk_undo is
  'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or '
  'older than 30 days.';

create function public.desk_decisions(p_before timestamptz default 'infinity')
returns table (id uuid, kind text, item_id text, park_id bigint, park_name text, decision text, reason public.decision_reason,
  mine boolean, decided_at timestamptz, undone_at timestamptz, can_be_undone boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    select d.id, d.kind, d.item_id, d.park_id, (select n.name from private.named_park(d.park_id, language) n), d.decision, d.reason,
      d.actor is not distinct from me, d.decided_at, d.undone_at,
      d.undone_at is null and d.decided_at > now() - private.undo_time()
    from private.desk_decisions d
    where d.decided_at < p_before and (d.subject is not null or d.decision not in ('warn', 'limit', 'suspend', 'ban'))
    order by d.decided_at desc, d.id limit 50;
end
$$;
comment on function public.desk_decisions is
  'What was decided, newest first, 50 at a time; not what was done about people whom moderators may not know.';

grant execute on function
  public.desk_undo(uuid),
  public.desk_decisions(timestamptz)
to authenticated, service_role;

-- desk_mails.sql
-- Who is told by mail: moderators of what waits, people of measures and of what was decided.

-- Functions: being told ------------------------------------------------------------------------------------------

create function private.tell_desk() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  member record;
  told integer := 0;
begin
  if private.mail_is_late() then
    perform private.notify('mailsFail', null, r.user_id) from public.user_roles r
    where r.role = 'administrator' and not private.is_limited(r.user_id) and not exists (
      select from public.notifications n
      where n.receiver_id = r.user_id and n.type = 'mailsFail' and n.created_at > now() - interval '1 day');
  end if;
  for member in
    -- Read once for all of them: thousands of items may wait, and dozens of people be told of them.
    with items as materialized (
      select i.kind, i.author, i.since, i.urgent, exists (select from public.user_roles r where r.user_id = i.author) as of_member
      from private.waiting_items() i
    )
    select r.user_id, r.told_at, waiting.* from public.user_roles r
    cross join lateral (
      select count(*) as items, max(i.since) as newest, max(i.since) filter (where i.urgent) as newest_urgent,
        floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
      from items i
      -- A number that counts what is not in their queue would tell them that they were reported.
      where not i.of_member or private.may_decide(i.kind, i.author, r.user_id)
    ) waiting
    -- Where everybody was told just now nothing is read at all: reports may come in bursts.
    where r.role > 'town' and r.told_at < now() - interval '15 minutes' and not private.is_limited(r.user_id) for update of r skip locked
  loop
    if member.newest_urgent > member.told_at
      or (member.newest > member.told_at and member.told_at < now() - interval '6 hours') then
      update public.user_roles r set told_at = now() where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', member.items, 'hours', member.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id,
        interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function private.tell_desk is
  'Tells administrators once a day that mails wait, and each moderator what came since they were told last, of what they may decide: of '
  'urgent things after 15 minutes at the earliest, of others after 6 hours. Run every 15 minutes, and when something urgent comes.';

create function private.ask_to_tell_desk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_job('tell-desk', '');
  return null;
end
$$;
create trigger ask_to_tell_desk after insert on private.user_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.photo_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.lost_dogs for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.lost_dog_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.live_reports
  for each row when (new.hazard is not null) execute function private.ask_to_tell_desk();

create function private.desk_mail(p_user_id uuid, p_measure_id uuid, p_contact text, p_decided_since timestamptz default null)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql stable security definer set search_path = '' as $$
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
        select jsonb_build_object('waiting', count(*), 'hours',
          floor(extract(epoch from now() - min(i.since)) / 3600)::integer) as data, count(*) as items
        from private.waiting_items(p_member => r.user_id) i
      ) w
      cross join lateral private.desk_text('deskWaiting', u.language, w.data) t
      where r.user_id = p_user_id and r.role > 'town' and w.items > 0 and not private.is_limited(u.id) and a.email is not null;
  else
    return query
      select a.email::text, u.language, t.title,
        array_remove(array[t.message,
          case when p_contact is not null then format(private.texts(u.language) ->> 'measure.appeal', p_contact) end], null),
        null::text
      from private.measures m join public.users u on u.id = m.user_id join auth.users a on a.id = u.id
      cross join lateral private.desk_text('measure', u.language, to_jsonb(m)) t
      where m.id = p_measure_id and m.user_id = p_user_id and m.lifted_at is null and a.email is not null;
  end if;
end
$$;
comment on function private.desk_mail is
  'A mail of the desk: what waits, a measure with where to appeal, or what was decided since a moment; no row where there is nothing to '
  'say any more. path leads to the page that it is about.';

create function private.town_mail(p_town_id bigint, p_report_id uuid)
returns table (email text, language public.language, subject text, lines text[], path text)
language sql stable security definer set search_path = '' as $$
  select t.mail, t.mail_language, w.title, array[w.message, private.texts(t.mail_language) ->> 'town.mail'], '/desk'
  from private.live_reports l join public.parks p on p.id = l.park_id
  join private.towns t on t.id = p_town_id and private.is_of_town(t, p) and t.mail_code is null
  cross join lateral private.notification_texts('hazard', t.mail_language, null, private.park_name(p.id, t.mail_language), null, null,
    l.hazard::text) w
  where t.mail is not null and l.id = p_report_id and l.verified_at is not null and l.ended_at is null and l.expires_at > now()
    and exists (select from public.user_roles r where r.town_id = t.id)
$$;
comment on function private.town_mail is
  'The mail to the confirmed address of a town about a verified hazard; no row where it is over by now.';

create function private.town_code_mail(p_town_id bigint)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Made now, so that none is stored.
  code text := private.new_code();
begin
  update private.towns t set mail_code = private.role_code_hash(code) where t.id = p_town_id and t.mail_code is not null;
  return query
    select t.mail, t.mail_language, w.said ->> 0,
      array[format(w.said ->> 1, private.isolate_direction(t.name), private.isolate_direction(code))], '/desk'
    from private.towns t cross join lateral (select private.texts(t.mail_language) -> 'town.code' as said) w
    where t.id = p_town_id and t.mail_code = private.role_code_hash(code);
end
$$;
comment on function private.town_code_mail is 'The mail with a code that confirms the address of a town; no row where it is confirmed.';

-- desk_people.sql
-- People at the desk: search, history, measures.

-- RPCs: people ---------------------------------------------------------------------------------------------------

create function private.require_power_over(p_person uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_decide('person', p_person) then
    perform private.fail('not_allowed', 'Only an administrator acts on a moderator, and nobody on themself.', '42501');
  end if;
end
$$;

create function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = '' as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  found_ids uuid[];
  -- Once, not for each of those who are found.
  barred uuid[] := array(select b.author from private.barred_authors(private.uid()) b where b.kind = 'person');
begin
  perform private.require_role();
  -- Each by its own index; together with "or" none of them would be used.
  found_ids := array(
    select a.id from auth.users a where a.id = private.to_uuid(p_search)
    union all
    select a.id from auth.users a where lower(a.email) = lower(btrim(p_search)));
  if typed <> '' then
    found_ids := found_ids || array(
      select u.id from public.users u where lower(u.name) like pattern || '%' order by lower(u.name) using ~<~, u.id limit 30);
    -- Only where those whose name begins with it are few.
    if cardinality(found_ids) < 30 then
      found_ids := found_ids || array(select u.id from public.users u where lower(u.name) like '%' || pattern || '%' limit 30);
    end if;
  end if;
  return query
    select u.id, u.name, private.park_day(u.created_at), r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and x.user_id <> all (barred)),
      exists (select from private.measures_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
  perform private.audit('search_people');
end
$$;
comment on function public.desk_people is
  'People by a part of the name, the whole email, or the id; hidden ones, too. That somebody searched is in the audit log.';

create function public.desk_person(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person jsonb;
begin
  perform private.require_role();
  person := (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', private.park_day(u.created_at), 'role', r.role,
      'dogs', (select count(*) from public.dogs d where d.owner = u.id and d.deleted_at is null),
      'reports', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'at', x.created_at, 'resolved_at',
          x.resolved_at) order by x.created_at desc), '[]')
        from private.user_reports x where x.user_id = u.id and private.may_decide('person', u.id)),
      'history', private.person_history(u.id),
      'may_act', private.may_decide('person', u.id),
      'second_factor', private.my_role() = 'administrator' and r.role is null
        and exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'))
    from public.users u left join public.user_roles r on r.user_id = u.id where u.id = p_user_id);
  perform private.audit('view_person', private.item_name('person', p_user_id::text));
  return person;
end
$$;

create function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  item private.waiting_item;
  measure public.measure := p_measure;
  ends_at timestamptz := p_until;
  measure_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  -- In the order of all who decide: undoing a measure locks the person's row before the claim.
  perform private.lock_items(p_kind, array[p_id]);
  select i.* into item from private.waiting_items(array[p_kind], array[p_id]) i;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select u.id::text, null, u.id, true into item.id, item.park_id, item.author, item.author_shown
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
  decision_id := private.begin_decision(p_kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  -- An unknown author may be one of the desk: a ban would lock them out of it, and a refusal would tell who it is.
  if not private.may_decide('person', item.author) then
    measure := 'warn';
    ends_at := null;
  end if;
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, measure, p_reason, ends_at, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(null::bigint), null)
    from private.open_reports(p_kind, array[item.id]) r having count(*) > 0;
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', measure, 'reason', p_reason,
    'until', ends_at)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id),
    item.author, interval '7 days');
  perform private.audit_decisions(array[decision_id]);
  return decision_id;
end
$$;
comment on function public.desk_take_measure is
  'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it '
  'lifts the measure.';

create function public.desk_lift_measure(p_measure_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person uuid;
begin
  perform private.require_role();
  select m.user_id into person from private.measures m where m.id = p_measure_id and m.shown and m.lifted_at is null for update;
  if person is null then
    return false;
  end if;
  perform private.require_power_over(person);
  update private.measures m set lifted_at = now() where m.id = p_measure_id;
  perform private.audit('lift', private.item_name('person', person::text), jsonb_build_object('measure', p_measure_id));
  return true;
end
$$;

create function public.desk_lift_all_measures(p_user_id uuid) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  lifted integer;
begin
  update private.measures m set lifted_at = now() where m.user_id = p_user_id and m.lifted_at is null and m.measure <> 'warn';
  get diagnostics lifted = row_count;
  update auth.users a set banned_until = null where a.id = p_user_id and a.banned_until > now();
  lifted := lifted + case when found then 1 else 0 end;
  perform private.audit('lift', private.item_name('person', p_user_id::text));
  return lifted;
end
$$;
comment on function public.desk_lift_all_measures is
  'For operators: ends every limit, suspension and ban of a person, those too that no moderator sees.';

grant execute on function
  public.desk_people(text),
  public.desk_person(uuid),
  public.desk_take_measure(text, text, public.measure, public.decision_reason, timestamptz),
  public.desk_lift_measure(uuid)
to authenticated, service_role;

grant execute on function public.desk_lift_all_measures(uuid) to service_role;

-- desk_roles.sql
-- Who has a role at the desk, and how it opens.

-- RPCs: roles ----------------------------------------------------------------------------------------------------

create function public.desk_set_role(
  p_user_id uuid, p_role public.role default null, p_town text default null, p_parks bigint[] default null, p_area text default null
) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  code text := '';
  town bigint;
begin
  if private.require_role('administrator') is not null then
    -- A stolen session must not make more of itself: towns are named after a fresh login, all else by the operator's command.
    perform private.require_fresh_login();
    if p_role <> 'town' or exists (select from public.user_roles r where r.user_id = p_user_id and r.role <> 'town') then
      perform private.fail('not_allowed', 'Moderators and administrators are named by the operator''s command.', '42501');
    end if;
  end if;
  if not exists (select from public.users u where u.id = p_user_id) then
    return null;
  end if;
  if p_role = 'town' then
    update private.towns t set parks = coalesce(p_parks, case when p_area is null then t.parks else '{}' end),
      area = case when num_nonnulls(p_parks, p_area) = 0 then t.area else p_area::polygon end
    where t.name = p_town returning t.id into town;
    if town is null then
      insert into private.towns (name, parks, area) values (p_town, coalesce(p_parks, '{}'), p_area::polygon) returning id into town;
    end if;
  end if;
  if p_role is null then
    delete from public.user_roles r where r.user_id = p_user_id;
  else
    insert into public.user_roles (user_id, role, town_id) values (p_user_id, p_role, town)
    on conflict (user_id) do update set role = excluded.role, granted_at = now(), town_id = excluded.town_id;
    if not exists (select from public.user_roles r join auth.mfa_factors f on f.id = r.factor_id and f.status = 'verified'
      where r.user_id = p_user_id) then
      code := private.new_code();
      update public.user_roles r set code_hash = private.role_code_hash(code) where r.user_id = p_user_id;
    end if;
  end if;
  perform private.audit('set_role', private.item_name('person', p_user_id::text), jsonb_build_object('role', p_role)
    || jsonb_strip_nulls(jsonb_build_object('town', town)));
  return code;
end
$$;
comment on function public.desk_set_role is
  'For operators: makes somebody moderator or administrator, or one of a town, null takes the role away; administrators do so with towns '
  'alone. Answers the code that opens the desk where one is needed. The town gets these parks and this area, a polygon as text; without '
  'both it keeps what it has.';

create function public.open_desk(p_code text) returns public.role
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.user_roles r set code_hash = null, factor_id = f.id from auth.mfa_factors f
  where r.user_id = private.require_user() and f.user_id = r.user_id and f.status = 'verified' and auth.jwt() ->> 'aal' = 'aal2'
    and r.granted_at > now() - interval '7 days' and r.code_hash = private.role_code_hash(p_code);
  return private.my_role();
end
$$;
comment on function public.open_desk is
  'Opens the desk to the second factor of the caller''s session, by the code that the administrator gave.';

create function public.desk_members()
returns table (id uuid, name text, role public.role, granted_at timestamptz, second_factor boolean, town text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select u.id, u.name, r.role, r.granted_at,
      exists (select from auth.mfa_factors f where f.id = r.factor_id and f.status = 'verified'),
      (select t.name from private.towns t where t.id = r.town_id)
    from public.user_roles r join public.users u on u.id = r.user_id order by r.role desc, u.name, u.id;
end
$$;
comment on function public.desk_members is
  'Who has a role, and whether they have the second factor and entered the code, without which it opens nothing.';

create function public.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  select private.my_role()
$$;
comment on function public.my_role is 'The caller''s role, as long as it opens the desk.';

grant execute on function
  public.my_role(),
  public.open_desk(text),
  public.desk_members(),
  public.desk_set_role(uuid, public.role, text, bigint[], text)
to authenticated, service_role;

-- imports.sql
-- Imports of parks: what each added and changed, so that it can be undone within thirty days.

create table private.imports (
  id uuid primary key default gen_random_uuid(),
  imported_at timestamptz not null default now(),
  file text not null,
  added integer not null,
  changed integer not null,
  undone_at timestamptz
);
comment on table private.imports is 'The imports of a year, by operators; no personal data.';
alter table private.imports enable row level security;

create table private.import_changes (
  import_id uuid not null references private.imports (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  before jsonb,
  after jsonb not null,
  primary key (import_id, park_id)
);
comment on table private.import_changes is 'Parks as they were before an import and as it left them, for 30 days.';
comment on column private.import_changes.before is 'Null of a park that was added: then "after" is a hash only.';
alter table private.import_changes enable row level security;
create index on private.import_changes (park_id);

create function private.import_snapshot(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select to_jsonb(p) - '{id,created_at,updated_at,size_label,lat,long,facts,fact_sources}'::text[]
    || jsonb_build_object('place', jsonb_build_array(p.lat, p.long), 'said', i.said)
    || coalesce((select jsonb_object_agg('fact ' || f.key, f.value) from jsonb_each(p.facts) f), '{}')
    || coalesce((select jsonb_object_agg('source ' || s.key, s.value) from jsonb_each(p.fact_sources) s), '{}')
    || coalesce((select jsonb_object_agg(t.language || ' ' || w.key, w.value)
      from public.park_translations t cross join lateral jsonb_each(to_jsonb(t) - '{park_id,language}'::text[]) w
      where t.park_id = p.id), '{}')
  from public.parks p left join private.park_imports i on i.park_id = p.id where p.id = p_park_id
$$;
comment on function private.import_snapshot is 'All that an import may change of a park and people may correct, by names.';

create function private.given_back(p_before jsonb, p_after jsonb, p_present jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(v.key, v.value) filter (where v.value is not null)
  from (
    select k.key, case when p_present -> k.key is not distinct from p_after -> k.key then p_before -> k.key
      else p_present -> k.key end as value
    from (select jsonb_object_keys(p_before || p_present) as key) k
  ) v
$$;
comment on function private.given_back is 'The values before a change, except where they changed once more since: those as they are.';

create function private.part_of(p_values jsonb, p_part text) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(substr(v.key, length(p_part) + 2), v.value), '{}')
  from jsonb_each(p_values) v where starts_with(v.key, p_part || ' ')
$$;

create function private.untouched_additions(p_import_id uuid) returns bigint[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  untouched bigint[];
  used record;
begin
  untouched := array(
    select c.park_id from private.import_changes c
    where c.import_id = p_import_id and c.before is null and c.after = to_jsonb(md5(private.import_snapshot(c.park_id)::text)));
  for used in
    select c.conrelid::regclass as relation, a.attname as field
    from pg_catalog.pg_constraint c join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'public.parks'::regclass
      -- What comes with a park by itself.
      and c.conrelid <> all (array['public.park_translations', 'private.park_imports', 'private.import_changes',
        'private.park_companies', 'private.park_ratings']::regclass[])
  loop
    execute 'select array(select u.id from unnest($1) u (id) where not exists (select from ' || used.relation || ' t where t.'
      || quote_ident(used.field) || ' = u.id))' into untouched using untouched;
  end loop;
  return untouched;
end
$$;
comment on function private.untouched_additions is 'The parks that an import added and nobody changed, visited, reviewed or saved since.';

create function public.desk_imports()
returns table (id uuid, imported_at timestamptz, file text, added integer, changed integer, undone_at timestamptz, can_undo boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select i.id, i.imported_at, i.file, i.added, i.changed, i.undone_at,
      i.undone_at is null and i.imported_at > now() - interval '30 days'
    from private.imports i order by i.imported_at desc limit 100;
end
$$;
comment on function public.desk_imports is 'The newest 100 imports of parks, for administrators.';

create function public.desk_undo_import(p_import_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  undone private.imports;
  additions bigint[];
  counts jsonb;
begin
  perform private.require_role('administrator');
  perform private.enter_desk(p_alone => true);
  -- The importer's own number.
  if not pg_try_advisory_xact_lock(7276003) then
    perform private.fail('import_running', 'An import is running: wait until it is done.');
  end if;
  select * into undone from private.imports i
  where i.id = p_import_id and i.undone_at is null and i.imported_at > now() - interval '30 days' for update;
  if undone.id is null then
    return null;
  end if;
  if exists (
    select from private.import_changes c join private.import_changes newer using (park_id)
    join private.imports i on i.id = newer.import_id
    where c.import_id = undone.id and i.imported_at > undone.imported_at
  ) then
    perform private.fail('later_import', 'A later import changed the same parks: undo that one first.');
  end if;
  -- Until the end nobody checks in where a park may go.
  perform from public.parks p join private.import_changes c on c.park_id = p.id
  where c.import_id = undone.id order by p.id for update of p;
  additions := private.untouched_additions(undone.id);
  with back as materialized (
    select c.park_id, c.before, private.given_back(c.before, c.after, private.import_snapshot(c.park_id)) as v
    from private.import_changes c where c.import_id = undone.id and c.before is not null
  ), parks as (
    update public.parks p set (source, source_ref, licence, source_date, outline, size, materials, shade, has_facilities, lat, long,
      facts, fact_sources) = (
        select r.source, r.source_ref, r.licence, r.source_date, r.outline, r.size, r.materials, r.shade, r.has_facilities,
          (back.v #>> '{place,0}')::double precision, (back.v #>> '{place,1}')::double precision, private.part_of(back.v, 'fact'),
          private.part_of(back.v, 'source')
        from jsonb_populate_record(p, back.v) r)
    from back where p.id = back.park_id
  ), texts as (
    select back.park_id, l.language, w.* from back cross join unnest(enum_range(null::public.language)) l (language)
    cross join lateral jsonb_to_record(private.part_of(back.v, l.language::text)) w (name text, city text, address text)
  ), texts_before as (
    update public.park_translations t
    set name = coalesce(x.name, t.name), city = coalesce(x.city, t.city), address = coalesce(x.address, t.address)
    from texts x where t.park_id = x.park_id and t.language = x.language and coalesce(x.name, x.city, x.address) is not null
      and (t.name, t.city, t.address) is distinct from (coalesce(x.name, t.name), coalesce(x.city, t.city), coalesce(x.address, t.address))
  ), texts_gone as (
    delete from public.park_translations t using texts x
    where t.park_id = x.park_id and t.language = x.language and coalesce(x.name, x.city, x.address) is null
  ), said_before as (
    update private.park_imports i set said = back.v -> 'said'
    from back where i.park_id = back.park_id and back.v -> 'said' <> 'null'
  ), said_gone as (
    delete from private.park_imports i using back where i.park_id = back.park_id and back.v -> 'said' = 'null'
  ), gone as (
    delete from public.parks p where p.id = any (additions) returning p.id
  )
  select jsonb_build_object('removed', (select count(*) from gone), 'restored', count(*),
    'kept', undone.added - (select count(*) from gone) + count(*) filter (where back.v is distinct from back.before))
  into counts from back;
  delete from private.import_changes c where c.import_id = undone.id;
  update private.imports i set undone_at = now() where i.id = undone.id;
  perform private.audit('undo_import', 'import:' || undone.id, counts);
  return counts;
exception when unique_violation then
  perform private.fail('later_import', 'A later import changed the same parks: undo that one first.');
end
$$;
comment on function public.desk_undo_import is
  'Takes away the parks that an import added, and gives back what it changed, unless people changed or used it since. How many went, how '
  'many were given back, and of how many something stays; null where there is nothing to undo: unknown, undone, or older than 30 days.';

grant execute on function
  public.desk_imports(),
  public.desk_undo_import(uuid)
to authenticated, service_role;

insert into private.retention (name, run_order, statement) values
  ('parks before an import: 30 days', 60, $$delete from private.import_changes c using private.imports i where i.id = c.import_id
    and i.imported_at < now() - interval '30 days'$$),
  ('imports: one year', 80, $$delete from private.imports i where i.imported_at < now() - interval '1 year'$$);

-- desk_site.sql
-- The operator's page of the desk (/desk/site): what administrators ask for there, what they are told by mail, errors of the app.

create table private.alarms (
  about text primary key,
  told_at timestamptz not null default now()
);
comment on table private.alarms is 'When administrators were last told of what goes wrong; no personal data.';
alter table private.alarms enable row level security;

create table private.app_errors (
  kind text not null check (kind ~ '^[A-Za-z]{1,40}$'),
  version text not null check (version ~ '^[0-9A-Za-z.+-]{1,40}$'),
  day date not null default private.park_day(),
  count integer not null default 1,
  primary key (day, kind, version)
);
comment on table private.app_errors is 'How often the app met an error that it did not expect: no texts, no people.';
alter table private.app_errors enable row level security;

create function private.require_fresh_login() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  methods text[] := array(
    select p.method from jsonb_to_recordset(coalesce(auth.jwt() -> 'amr', '[]')) p (method text, "timestamp" float8)
    where to_timestamp(p."timestamp") > now() - interval '5 minutes');
begin
  if not 'password' = any (methods) or not methods && '{totp,mfa/phone,recovery_code}' then
    perform private.fail('reauthentication_needed', 'This asks for the password and the second factor once more.');
  end if;
end
$$;
comment on function private.require_fresh_login is
  'Refuses a caller who did not give password and second factor within five minutes: a token may be stolen.';

create function private.mail_administrators(p_about text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('desk-mail', p_about || ' ' || r.user_id, jsonb_build_object('user_id', r.user_id, 'about', p_about), r.user_id,
    interval '1 day')
  from public.user_roles r where r.role = 'administrator' and not private.is_limited(r.user_id)
$$;

create function private.raise_alarm(p_about text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.alarms as a (about) values (p_about)
  on conflict (about) do update set told_at = now() where a.told_at < now() - interval '1 day';
  if found then
    perform private.mail_administrators(p_about);
  end if;
end
$$;
comment on function private.raise_alarm is 'Tells administrators by mail, of each thing once a day at most.';

create function private.watch_site(p_disk_fills boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_disk_fills then
    perform private.raise_alarm('disk');
  end if;
  -- One that was never made is as old as the first account.
  if coalesce((select j.done_at from private.jobs j where j.kind = 'backup' and j.key = ''), (select min(a.created_at) from auth.users a))
    < now() - interval '2 days' then
    perform private.raise_alarm('backup');
  end if;
  if exists (select from private.waiting_items() w where w.overdue) then
    perform private.raise_alarm('overdue');
  end if;
end
$$;
comment on function private.watch_site is 'What a host looks for every quarter of an hour.';

create function private.operator_mail(p_user_id uuid, p_about text)
returns table (email text, language public.language, subject text, lines text[], path text)
language sql stable security definer set search_path = '' as $$
  select a.email::text, u.language, t.said ->> 0, array[t.said ->> 1], '/desk/' || case p_about when 'overdue' then '' else 'site' end
  from public.users u join auth.users a on a.id = u.id
  join public.user_roles r on r.user_id = u.id and r.role = 'administrator'
  cross join lateral (select private.texts(u.language) -> ('operator.' || p_about) as said) t
  where u.id = p_user_id and a.email_confirmed_at is not null
$$;
comment on function private.operator_mail is 'A mail to an administrator about the site, at a confirmed address only.';

insert into private.retention (name, run_order, statement) values
  ('errors of the app: 30 days', 50, $$delete from private.app_errors e where e.day < private.park_day() - 30$$);

create function public.report_app_error(p_kind text, p_version text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_address('report_app_error', 20, '1 hour');
  -- Whoever invents kinds and versions must not fill the disk.
  if (select count(*) from private.app_errors e where e.day = private.park_day()) < 200 then
    insert into private.app_errors as e (kind, version) values (p_kind, p_version)
    on conflict (day, kind, version) do update set count = e.count + 1;
  end if;
end
$$;

create function public.desk_app_errors() returns table (kind text, version text, count integer, last_day date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select e.kind, e.version, sum(e.count)::integer, max(e.day) from private.app_errors e
    group by e.kind, e.version order by 3 desc, 1, 2 limit 50;
end
$$;

create function public.desk_back_up() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  perform private.limit_rate('desk_back_up', 1, '1 minute');
  perform private.add_job('backup-now', '');
  perform private.audit('back_up');
end
$$;
comment on function public.desk_back_up is 'Asks the host for a backup now.';

create function public.desk_allow_download() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  perform private.require_fresh_login();
  perform private.mail_administrators('download');
  perform private.audit('download_backup');
end
$$;
comment on function public.desk_allow_download is
  'Asked by the host before it hands out a backup: refuses, or tells all administrators and the audit log.';

create function public.desk_send_test_mail() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role('administrator');
begin
  perform private.limit_rate('desk_send_test_mail', 1, '1 minute');
  perform private.add_job('desk-mail', 'test ' || me, jsonb_build_object('user_id', me, 'about', 'test'), me, interval '10 minutes');
end
$$;
comment on function public.desk_send_test_mail is 'A mail to the caller''s own confirmed address.';

create function public.desk_remove_factors(p_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  address text;
begin
  if private.require_role('administrator') is not null then
    perform private.require_fresh_login();
    if exists (select from public.user_roles r where r.user_id = p_user_id) then
      perform private.fail('not_allowed', 'Factors of moderators and administrators are removed by the operator''s command.', '42501');
    end if;
  end if;
  delete from auth.mfa_factors f where f.user_id = p_user_id;
  if not found then
    return false;
  end if;
  delete from auth.sessions s where s.user_id = p_user_id;
  select a.email into address from auth.users a where a.id = p_user_id;
  -- Only the one-machine host has these mails.
  if address is not null and to_regclass('auth.account_changes') is not null then
    execute $sql$
      with change as (insert into auth.account_changes (user_id, email) values ($1, $2) returning id)
      select private.add_job('send-change-mail', c.id::text, jsonb_build_object('changeId', c.id, 'userId', $1, 'to', $2), $1,
        interval '72 hours') from change c $sql$ using p_user_id, address;
  end if;
  perform private.audit('remove_factors', private.item_name('person', p_user_id::text));
  return true;
end
$$;
comment on function public.desk_remove_factors is
  'For somebody who lost the device: ends the second factor and all sessions; the person is told by mail. False where there was none.';

create function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'people', (select count(*) from public.users), 'new_people', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p
      where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and c.kind = 'visit'),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (
      select count(*)
      from (
        select created_at from private.review_reports union all select created_at from private.user_reports
        union all select created_at from private.photo_reports union all select created_at from private.pack_time_reports
        union all select created_at from private.lost_dog_reports
      ) x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and of all people and parks; nothing about anybody.';

grant execute on function public.report_app_error(text, text) to anon, authenticated;
grant execute on function
  public.desk_numbers(),
  public.desk_app_errors(),
  public.desk_back_up(),
  public.desk_allow_download(),
  public.desk_send_test_mail(),
  public.desk_remove_factors(uuid)
to authenticated, service_role;

-- calendar_feeds.sql
-- Calendar feeds: one's own meetings for a calendar program, behind a secret address that its owner can end at any time.

create table private.calendar_feeds (
  user_id uuid primary key references public.users (id) on delete cascade,
  secret_hash bytea not null unique,
  event_salt uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);
comment on table private.calendar_feeds is
  'Whose meetings a calendar program may read. Of the secret in the address only the SHA-256 is stored: whoever reads the database cannot '
  'open it.';
comment on column private.calendar_feeds.event_salt is
  'Goes into the ids of the events, so that a file that leaks does not tell who invited; a new address keeps it, so that events keep '
  'their ids.';
alter table private.calendar_feeds enable row level security;

create table private.cancelled_meetings (
  user_id uuid not null references private.calendar_feeds (user_id) on delete cascade,
  event_id uuid not null,
  park_id bigint not null references public.parks (id) on delete cascade,
  meet_at timestamptz not null,
  cancelled_at timestamptz not null default now(),
  primary key (user_id, event_id)
);
comment on table private.cancelled_meetings is
  'Meetings that are off, until their time has passed: calendar programs strike out what they are told is cancelled, and some keep what '
  'only vanishes.';
alter table private.cancelled_meetings enable row level security;

create index on private.cancelled_meetings (park_id);

create function private.calendar_event_id(p_salt uuid, p_host_id uuid, p_park_id bigint, p_meet_at timestamptz) returns uuid
language sql immutable set search_path = '' as $$
  select md5(concat_ws(' ', p_salt, p_host_id, p_park_id, extract(epoch from p_meet_at)))::uuid
$$;
comment on function private.calendar_event_id is 'The id of a meeting in one person''s calendar.';

create function private.remember_cancelled_meeting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.cancelled_meetings as c (user_id, event_id, park_id, meet_at)
  select f.user_id, private.calendar_event_id(f.event_salt, old.sender_id, old.park_id, old.meet_at), old.park_id, old.meet_at
  from private.calendar_feeds f
  -- A park that is deleted takes its invites along.
  where f.user_id in (old.sender_id, old.receiver_id) and exists (select from public.parks p where p.id = old.park_id)
  on conflict (user_id, event_id) do update set cancelled_at = excluded.cancelled_at;
  return null;
end
$$;
comment on function private.remember_cancelled_meeting is
  'For both sides of an invite that is taken back, or moved: at the park that theirs was merged with it is another event.';
create trigger remember_cancelled_meeting after delete or update of park_id on public.park_invites
  for each row when (private.is_meeting_open(old.meet_at)) execute function private.remember_cancelled_meeting();

create function private.remember_left_pack_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.cancelled_meetings as c (user_id, event_id, park_id, meet_at)
  select f.user_id, private.calendar_event_id(f.event_salt, t.id, t.park_id, n.meet_at), t.park_id, n.meet_at
  from private.calendar_feeds f join private.pack_times t on t.id = old.pack_time_id
  cross join lateral (select private.next_pack_moment(t) as meet_at) n
  where f.user_id = old.user_id
  on conflict (user_id, event_id) do update set cancelled_at = excluded.cancelled_at;
  return null;
end
$$;
create trigger remember_left_pack_time after delete on private.pack_time_members
  for each row execute function private.remember_left_pack_time();

-- Somebody who knew the old password may have made or copied the address.
create function private.end_calendar_feed_with_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.calendar_feeds f where f.user_id = new.id;
  return null;
end
$$;
-- A login that stores the same password under a newer hash leaves updated_at as it is.
create trigger end_calendar_feed_with_password after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password and old.updated_at is distinct from new.updated_at)
  execute function private.end_calendar_feed_with_password();

create function public.my_calendar_feed() returns timestamptz
language sql stable security definer set search_path = '' as $$
  select f.created_at from private.calendar_feeds f where f.user_id = private.uid()
$$;
comment on function public.my_calendar_feed is
  'Since when the caller''s address for calendar programs opens their meetings; null where there is none.';

create function public.make_calendar_feed() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  perform private.limit_rate('make_calendar_feed', 10, '1 day');
  insert into private.calendar_feeds as f (user_id, secret_hash) values (me, sha256(convert_to(secret, 'utf8')))
  on conflict (user_id) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at;
  return secret;
end
$$;
comment on function public.make_calendar_feed is
  'The secret of a new address of the caller''s meetings, 64 hexadecimal digits, told this once; the earlier address opens nothing any '
  'more.';

create function public.end_calendar_feed() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  delete from private.calendar_feeds f where f.user_id = me;
  return found;
end
$$;
comment on function public.end_calendar_feed is 'From now on the caller''s address opens nothing; false where there was none.';

create function public.calendar_of(p_secret_hash bytea) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('language', u.language, 'events', (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'park', private.park_summary(e.park_id, u.language), 'meet_at', e.meet_at,
      'answer', e.answer, 'changed_at', e.changed_at) order by e.meet_at, e.id), '[]')
    from (
      -- A guest who was invited anew is no longer uninvited.
      select distinct on (x.id) x.* from (
        select private.calendar_event_id(f.event_salt, coalesce(m.pack_time_id, m.host_id), m.park_id, m.meet_at) as id, m.park_id,
          m.meet_at,
          coalesce(m.status::text, 'host') as answer, m.changed_at
        from private.meetings_of(f.user_id) m
        union all
        select c.event_id, c.park_id, c.meet_at, 'cancelled', c.cancelled_at
        from private.cancelled_meetings c where c.user_id = f.user_id and private.is_meeting_open(c.meet_at)
      ) x order by x.id, x.answer = 'cancelled'
    ) e))
  from private.calendar_feeds f join public.users u on u.id = f.user_id join auth.users a on a.id = f.user_id
  where f.secret_hash = p_secret_hash and (a.banned_until is null or a.banned_until <= now())
$$;
comment on function public.calendar_of is
  'What the address with this secret (its SHA-256) tells: {language, events: [{id, park, meet_at, answer, changed_at}]}, answer being '
  'host, pending, accepted, declined or cancelled; null where it opens nothing. Nobody''s name is in it.';

grant execute on function
  public.my_calendar_feed(),
  public.make_calendar_feed(),
  public.end_calendar_feed()
to authenticated;

grant execute on function public.calendar_of(bytea) to service_role;

insert into private.retention (name, run_order, statement) values
  ('cancelled meetings: while the meeting is open', 50, $$delete from private.cancelled_meetings c
    where not private.is_meeting_open(c.meet_at)$$);

insert into private.exports (relation, part, statement) values
  ('private.cancelled_meetings', 'calendar_feed', null);

insert into private.exports (relation, part, is_list, statement) values
  ('private.calendar_feeds', 'calendar_feed', false, $$select jsonb_build_object('created_at', c.created_at, 'cancelled_meetings', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(m.park_id, $2), 'meet_at', m.meet_at,
        'cancelled_at', m.cancelled_at) order by m.meet_at), '[]')
      from private.cancelled_meetings m where m.user_id = $1))
    from private.calendar_feeds c where c.user_id = $1$$);

-- account.sql
-- The end of an account.

create table private.user_deletions (
  user_id uuid primary key,
  started_at timestamptz not null default now(),
  objects jsonb not null default '[]'
);
comment on table private.user_deletions is
  'Deletions under way and the files still to remove; a row stays until all are gone, so that a deletion is finished after a crash.';
alter table private.user_deletions enable row level security;

create function private.files_of(p_user_id uuid) returns table (bucket text, name text)
language sql stable as $$
  -- Searches by name: with "or" between them every file of everybody would be looked at.
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'users' and o.name >= p_user_id || '/' and o.name < p_user_id || '0'
    -- What is on its way to whom a dog was handed.
    and not exists (select from public.dogs d where d.owner <> p_user_id and d.id =
      case when o.name ~ '^[^/]+/dogs/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/' then split_part(o.name, '/', 3)::uuid end)
  union all
  select o.bucket_id, o.name from private.photo_uploaders u
  join storage.objects o on o.bucket_id in ('parks', 'pending-photos') and o.name = u.path
  where u.user_id = p_user_id
  union all
  select o.bucket_id, o.name from private.lost_dog_sightings s
  join storage.objects o on o.bucket_id = 'sightings' and o.name >= s.id || '/' and o.name < s.id || '0'
  where s.user_id = p_user_id
$$;
comment on function private.files_of is 'What somebody has in storage.';

create function public.delete_user_data(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_objects jsonb;
  left_over jsonb;
begin
  perform private.hand_over_all(p_user_id);
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') into found_objects from private.files_of(p_user_id) f;
  insert into private.user_deletions as d (user_id, objects) values (p_user_id, found_objects)
  on conflict (user_id) do update set objects = (
    select coalesce(jsonb_agg(distinct o), '[]') from jsonb_array_elements(d.objects || excluded.objects) o)
  returning d.objects into left_over;
  -- Approved parks belong to everybody, also those that are no more; pending and rejected ones are deleted.
  delete from public.parks p using private.park_submitters s
  where s.park_id = p.id and s.user_id = p_user_id and p.status <> 'approved'
    and not exists (select from public.former_parks f where f.park_id = p.id);
  delete from public.park_photos f using private.photo_uploaders u where u.path = f.path and u.user_id = p_user_id;
  delete from public.users u where u.id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.rate_limits r where r.subject = p_user_id;
  return left_over;
end
$$;
comment on function public.delete_user_data is
  'Deletes all rows of a user and returns which files are to be removed: [{bucket, name}]. Safe to call again; then finish_user_deletion.';

create function public.finish_user_deletion(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.user_deletions d where d.user_id = p_user_id
$$;

create function public.unfinished_user_deletions() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select d.user_id from private.user_deletions d order by d.started_at
$$;

grant execute on function
  public.delete_user_data(uuid),
  public.finish_user_deletion(uuid),
  public.unfinished_user_deletions()
to service_role;

insert into private.exports (relation, part, statement) values
  ('auth.identities', 'identities',
    $$select coalesce(i.created_at, 'epoch'), i.id::text, private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email',
      'created_at', 'updated_at', 'last_sign_in_at')
    from auth.identities i where i.user_id = $1$$),
  ('auth.mfa_factors', 'second_factors',
    $$select m.created_at, m.id::text, private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at',
      'updated_at', 'last_challenged_at')
    from auth.mfa_factors m where m.user_id = $1$$);

insert into private.exports (relation, part, is_list, statement) values
  ('auth.users', 'account', false,
    $$select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at',
      'updated_at', 'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
    from auth.users a where a.id = $1$$);

insert into private.exports (relation, left_out) values
  ('private.user_deletions', 'begins when the account ends'),
  ('auth.account_changes', 'hashes of links that take back a change of the account'),
  ('auth.one_time_tokens', 'hashes of links and codes that would open the account'),
  ('auth.flow_state', 'secrets of sign-ins that are under way, for minutes'),
  ('auth.provider_tokens', 'a secret for the provider, encrypted'),
  ('auth.mfa_challenges', 'codes that would open the account, for minutes'),
  ('auth.mfa_recovery_codes', 'hashes of codes that would open the account');

-- sessions.sql
-- The sessions of one's own account: where somebody is logged in, and ending one of them.

create function public.my_sessions() returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text,
  is_current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, s.updated_at, left(s.user_agent, 300), s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from auth.sessions s
  where s.user_id = private.uid() and coalesce(s.not_after > now(), true)
  order by 5 desc, s.updated_at desc, s.id
  limit 100
$$;
comment on function public.my_sessions is
  'Where the caller is logged in: this session first, then by last use (told when a token is renewed, about hourly); at most 100.';

create function public.end_my_session(p_session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = p_session_id and s.user_id = me;
  return found;
end
$$;
comment on function public.end_my_session is
  'Logs one device of the caller out, pushes included; false where there is no such session of theirs.';

grant execute on function public.my_sessions(), public.end_my_session(uuid) to authenticated;

insert into private.exports (relation, part, statement) values
  ('auth.sessions', 'sessions',
    $$select coalesce(s.created_at, 'epoch'), s.id::text, private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at',
      'not_after', 'aal', 'amr', 'user_agent', 'ip')
    from auth.sessions s where s.user_id = $1$$);

-- own_changes.sql
-- What changed of a person's own things: told to all their devices by the realtime channel that is open anyway.

create table public.own_changes (
  user_id uuid primary key references public.users (id) on delete cascade,
  changed text not null,
  changed_at timestamptz not null
);
comment on table public.own_changes is
  'One row a person: which of their things changed last. Deletions of other tables reach nobody by realtime, and their rows have readers '
  'that this is not for.';
alter table public.own_changes enable row level security;

grant select on public.own_changes to authenticated;

create function private.tell_own_devices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.own_changes as o (user_id, changed, changed_at)
  -- Whose account is being deleted has no devices any more.
  select u.id, coalesce(tg_argv[1], tg_table_name), clock_timestamp() from public.users u
  where u.id = (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> tg_argv[0])::uuid
  on conflict (user_id) do update set changed = excluded.changed, changed_at = excluded.changed_at;
  return null;
end
$$;
comment on function private.tell_own_devices is
  'Its argument is the column of whose the row is; a second one names other things of theirs.';

create trigger tell_own_devices after insert or delete or update of ended_at, expires_at, park_id, dog_count on public.check_ins
  for each row execute function private.tell_own_devices('user_id');
create trigger tell_own_devices after insert or delete on public.favourite_parks
  for each row execute function private.tell_own_devices('user_id');
create trigger tell_own_devices after insert or update on public.dogs
  for each row execute function private.tell_own_devices('owner');
create trigger tell_own_devices after insert or update or delete on private.dog_people
  for each row execute function private.tell_own_devices('user_id', 'dogs');
create trigger tell_own_devices after update on public.users
  for each row execute function private.tell_own_devices('id');
-- Realtime tells nobody of a deletion: a request that was taken back, an invite that was called off.
create trigger tell_own_devices after delete on public.notifications
  for each row when (old.is_ready) execute function private.tell_own_devices('receiver_id');
create trigger tell_own_devices after delete on auth.sessions
  for each row execute function private.tell_own_devices('user_id');

create policy "users see their own changes" on public.own_changes for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.own_changes as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

alter publication supabase_realtime add table public.own_changes;

insert into private.exports (relation, left_out) values
  ('public.own_changes', 'says only which of the exported things changed last');
