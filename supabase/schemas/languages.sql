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
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard.
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
        "looseDog": "דיווח על כלב תוקפני משוחרר", "brokenFence": "דיווח על גדר פרוצה", "noWater": "דיווח שאין מים"}
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
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن قراد أو يرقات لاسعة", "awns": "بلاغ عن سفا النباتات",
        "looseDog": "بلاغ عن كلب شرس طليق", "brokenFence": "بلاغ عن سياج مكسور", "noWater": "بلاغ عن انقطاع الماء"}
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
        "looseDog": "aggressive loose dog reported", "brokenFence": "broken fence reported", "noWater": "no water reported"}
    }$en$
  end::jsonb;
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
