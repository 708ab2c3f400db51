-- The languages, and everything that the database itself writes in them. A new language is a value of the type and its
-- texts in private.texts; nothing else in the database names a language.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.language as enum ('en', 'he', 'ar');

-- Functions ------------------------------------------------------------------------------------------------------

-- PL/pgSQL and a comparison as text: a new value of a type cannot be used in the transaction that adds it, and this way
-- the step that adds a language can bring its texts, too.
create function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard. What the desk says (private.desk_text):
  -- %1$s is the park and %2$s the reason of a decision, %1$s the reason and %2$s the end of a measure, %1$s how much waits and
  -- %2$s since when.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  -- Each is a constant of its type: read once for a connection, not for each notification.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "בקשת חברות מאת %1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "friendThere": ["חבר או חברה בגינה", "%1$s בגינה ‏%2$s עד %3$s", "פתחו את Packpark כדי לראות מי ואיפה"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"],
      "parkInviteCancelled": ["המפגש בוטל", "המפגש עם %1$s בוטל: %2$s, %3$s"],
      "hazard": ["זהירות בגינת הכלבים", "%2$s: %4$s"],
      "hazards": {"poison": "דיווח על פיתיון מורעל", "glass": "דיווח על שברי זכוכית",
        "caterpillars": "דיווח על טוואי התהלוכה", "ticks": "דיווח על קרציות", "awns": "דיווח על מלענים",
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
      "decided.reported_person": ["בדקנו את הדיווח שלכם",
        "תודה! צוות הניהול בדק את מה שסיפרתם לנו על מישהו והחליט. ההחלטה נשארת בינינו לבינו."],
      "decided.several": "חדש לגבי מה שהוספתם ודיווחתם",
      "decided.switch_off": "המייל הזה נשלח כי \"החלטות על מה שהוספתי\" מסומן בהגדרות ההתראות; אפשר לבטל את זה שם.",
      "measure.warn": ["אזהרה", "קיבלתם אזהרה מצוות הניהול: %1$s."],
      "measure.limit": ["הפרסום שלכם מושהה", "אי אפשר לפרסם עד %2$s: %1$s."],
      "measure.limit.for_good": ["הפרסום שלכם מושהה", "אי אפשר לפרסם יותר: %1$s."],
      "measure.suspend": ["החשבון שלכם מושעה", "אי אפשר להשתמש בחשבון עד %2$s: %1$s."],
      "measure.ban": ["החשבון שלכם נסגר", "אי אפשר להשתמש בחשבון יותר: %1$s."],
      "measure.appeal": "לדעתכם זו טעות? כתבו אל %1$s, ומישהו אחר מהצוות יבדוק את זה.",
      "operator.test": ["מייל בדיקה", "אם קיבלתם את זה, המיילים של האתר עובדים."],
      "operator.disk": ["הדיסק מתמלא", "נשאר פחות מג׳יגה־בייט אחד פנוי בשרת. פנו מקום, לפני שהאתר יפסיק לשמור."],
      "operator.backup": ["אין גיבוי עדכני", "הגיבוי האחרון של האתר בן יותר מיומיים, או שמעולם לא נעשה גיבוי."],
      "operator.overdue": ["יש פניות שממתינות יותר מיממה", "משהו בתור הניהול ממתין להחלטה יותר מ־24 שעות."],
      "operator.download": ["גיבוי של האתר הורד",
        "אחד המנהלים הראשיים הוריד גיבוי מוצפן. אם אף אחד מכם לא עשה זאת, בדקו מיד את יומן הפעולות."],
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
    }$he$::jsonb
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "friendThere": ["صديق في الحديقة", "%1$s في %2$s حتى %3$s", "افتحوا Packpark لتعرفوا من وأين"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"],
      "parkInviteCancelled": ["أُلغي اللقاء", "أُلغي اللقاء مع %1$s: %2$s، %3$s"],
      "hazard": ["انتبهوا في حديقة الكلاب", "%2$s: %4$s"],
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن يرقات لاسعة",
        "ticks": "بلاغ عن قراد", "awns": "بلاغ عن سنابل شائكة",
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
      "operator.test": ["رسالة تجريبية", "إذا وصلتكم هذه الرسالة فبريد الموقع يعمل."],
      "operator.disk": ["القرص يمتلئ", "بقي أقل من غيغابايت واحد فارغ على الخادم. أفرغوا مساحة قبل أن يتوقف الموقع عن الحفظ."],
      "operator.backup": ["لا توجد نسخة احتياطية حديثة", "مضى على آخر نسخة احتياطية أكثر من يومين، أو لم تُؤخذ أي نسخة قط."],
      "operator.overdue": ["أمور تنتظر منذ أكثر من يوم", "في قائمة الإشراف ما ينتظر قرارًا منذ أكثر من 24 ساعة."],
      "operator.download": ["نُزّلت نسخة احتياطية",
        "نزّل أحد المديرين نسخة احتياطية مشفّرة. إن لم يفعل ذلك أحد منكم فراجعوا سجل الإجراءات فورًا."],
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
    }$ar$::jsonb
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "friendThere": ["A friend is at a park", "%1$s is at %2$s until %3$s", "Open Packpark to see who and where"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"],
      "parkInviteCancelled": ["The meeting is off", "%1$s called off %2$s, %3$s"],
      "hazard": ["Take care at the dog park", "%2$s: %4$s"],
      "hazards": {"poison": "poison bait reported", "glass": "broken glass reported", "caterpillars": "stinging caterpillars reported",
        "ticks": "ticks reported", "awns": "awns reported",
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
      "decided.reported_person": ["We looked at your report",
        "Thank you! A moderator looked at what you told us about somebody and decided. What was decided stays between us and them."],
      "decided.several": "News about what you gave and reported",
      "decided.switch_off": "You get this mail because of “Decisions about what I added” in the notification settings; you can switch it off there.",
      "measure.warn": ["A warning", "A moderator warns you: %1$s."],
      "measure.limit": ["Posting is paused", "Until %2$s you cannot post: %1$s."],
      "measure.limit.for_good": ["Posting is paused", "You cannot post any more: %1$s."],
      "measure.suspend": ["Your account is suspended", "Until %2$s you cannot use your account: %1$s."],
      "measure.ban": ["Your account is closed", "You cannot use your account any more: %1$s."],
      "measure.appeal": "If you think that this is wrong, answer to %1$s. Another moderator looks at it.",
      "operator.test": ["A test mail", "If you read this, the site's mails work."],
      "operator.disk": ["The disk fills up",
        "Less than one gigabyte is free on the server. Make room before the site can store nothing more."],
      "operator.backup": ["There is no recent backup", "The last backup of the site is older than two days, or none was ever made."],
      "operator.overdue": ["Something waits for more than a day",
        "Something in the desk's queue has waited for a decision for over 24 hours."],
      "operator.download": ["A backup was downloaded",
        "An administrator downloaded an encrypted backup. If it was none of you, look into the audit log at once."],
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
    }$en$::jsonb
  end;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

create function private.isolate_direction(p_text text) returns text
language sql immutable set search_path = ''
as $$
  -- A Hebrew name in an English sentence must not reverse the sentence: FSI ... PDI. No such marks within: a name that
  -- brings its own could close the isolation and reverse the rest of the message.
  select U&'\2068' || translate(p_text, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '') || U&'\2069'
$$;
