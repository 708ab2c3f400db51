-- The demo: invented parks around the default location, invented users with dogs, and a plausible history. It runs in one
-- transaction; running it again changes nothing. Never run it in production, because the password of the demo users (packpark-demo)
-- is public. Each file in supabase/seed/photos/ is uploaded to the bucket parks under the same path ({parkId}/primary|other/…), and
-- a trigger adds it to the park.

create temporary table demo_parks (
  id bigint, lat float8, long float8, size numeric, materials public.ground[], shade numeric, has_facilities boolean, popularity numeric,
  name_en text, address_en text, city_en text, name_he text, address_he text, city_he text, name_ar text, address_ar text, city_ar text
);
insert into demo_parks values
  (1, 32.10012, 34.80941, 2600, '{GRASS,DIRT}', 6.5, true, 1.0, 'Eucalyptus Bend', '14 HaSnunit St', 'Tel Aviv-Yafo', 'עיקול האקליפטוס',
    'הסנונית 14', 'תל אביב-יפו', 'منعطف الكينا', 'شارع هسنونيت 14', 'تل أبيب-يافا'),
  (2, 32.10291, 34.80768, 850, '{SAND}', 3, true, 0.7, 'Swallow Corner', '3 HaDrorim St', 'Tel Aviv-Yafo', 'פינת הסנונית', 'הדרורים 3',
    'תל אביב-יפו', 'ركن السنونو', 'شارع هدروريم 3', 'تل أبيب-يافا'),
  (3, 32.09723, 34.81102, 5200, '{GRASS}', 5, true, 0.95, 'The Long Lawn', '41 HaNahal St', 'Tel Aviv-Yafo', 'המדשאה הארוכה', 'הנחל 41',
    'תל אביב-יפו', 'المرج الطويل', 'شارع هناحل 41', 'تل أبيب-يافا'),
  (4, 32.09655, 34.80702, 1400, '{SYNTHETIC_GRASS}', 8, true, 0.6, 'Mulberry Yard', '9 HaTut St', 'Ramat Gan', 'חצר התות', 'התות 9',
    'רמת גן', 'ساحة التوت', 'شارع هتوت 9', 'رمات غان'),
  (5, 32.10421, 34.81162, 640, '{DIRT}', null, null, 0.35, 'Little Carob', '22 HeHaruv St', 'Tel Aviv-Yafo', 'חרוב קטן', 'החרוב 22',
    'תל אביב-יפו', 'الخروبة الصغيرة', 'شارع هحروف 22', 'تل أبيب-يافا'),
  (6, 32.09871, 34.80583, 3300, '{GRASS,SAND}', 4.5, false, 0.8, 'Heron Bank', '6 HaAnafa St', 'Tel Aviv-Yafo', 'גדת האנפה', 'האנפה 6',
    'תל אביב-יפו', 'ضفة مالك الحزين', 'شارع هأنافا 6', 'تل أبيب-يافا'),
  (7, 32.09388, 34.81003, 1900, '{SAND,DIRT}', 2, true, 0.55, 'Two Benches', '17 HaPa''amon St', 'Ramat Gan', 'שני ספסלים', 'הפעמון 17',
    'רמת גן', 'المقعدان', 'شارع هبعمون 17', 'رمات غان'),
  (8, 32.10602, 34.80611, 7400, '{GRASS,DIRT}', 7, true, 0.9, 'Willow Field', '58 HaArava St', 'Tel Aviv-Yafo', 'שדה הערבה', 'הערבה 58',
    'תל אביב-יפו', 'حقل الصفصاف', 'شارع هعرافا 58', 'تل أبيب-يافا'),
  (9, 32.09262, 34.81903, 1100, '{SYNTHETIC_GRASS}', 5.5, null, 0.4, 'Pomegranate Garden', '30 HaRimon St', 'Bnei Brak', 'גינת הרימון',
    'הרימון 30', 'בני ברק', 'بستان الرمان', 'شارع هريمون 30', 'بني براك'),
  (10, 32.08891, 34.80713, 4300, '{GRASS}', 6, true, 0.85, 'Hoopoe Hill', '12 HaDukhifat St', 'Ramat Gan', 'גבעת הדוכיפת', 'הדוכיפת 12',
    'רמת גן', 'تلة الهدهد', 'شارع هدوخيفات 12', 'رمات غان'),
  (11, 32.10958, 34.81544, 920, '{SAND}', 1.5, false, 0.3, 'Cable Lane', '5 HaKevel St', 'Tel Aviv-Yafo', 'סמטת הכבל', 'הכבל 5',
    'תל אביב-יפו', 'زقاق الكابل', 'شارع هكيفل 5', 'تل أبيب-يافا'),
  (12, 32.11342, 34.80871, 2800, '{GRASS,SYNTHETIC_GRASS}', 4, true, 0.65, 'Lapwing Square', '8 HaSiksak St', 'Tel Aviv-Yafo',
    'כיכר הסיקסק', 'הסיקסק 8', 'תל אביב-יפו', 'ساحة الزقزاق', 'شارع هسيكساك 8', 'تل أبيب-يافا'),
  (13, 32.09312, 34.79611, 6100, '{GRASS,DIRT}', 8, true, 0.9, 'Seven Ficuses', '77 HaFicus St', 'Tel Aviv-Yafo', 'שבעת הפיקוסים',
    'הפיקוס 77', 'תל אביב-יפו', 'التينات السبع', 'شارع هفيكوس 77', 'تل أبيب-يافا'),
  (14, 32.08814, 34.78633, 1250, '{SAND}', 3.5, true, 0.75, 'Jasmine Walk', '19 HaYasmin St', 'Tel Aviv-Yafo', 'שדרת היסמין',
    'היסמין 19', 'תל אביב-יפו', 'ممشى الياسمين', 'شارع هيسمين 19', 'تل أبيب-يافا'),
  (15, 32.08122, 34.77921, 780, '{SYNTHETIC_GRASS}', 2.5, true, 0.7, 'Balcony Dogs', '26 HaMirpeset St', 'Tel Aviv-Yafo', 'כלבי המרפסת',
    'המרפסת 26', 'תל אביב-יפו', 'كلاب الشرفة', 'شارع همربيست 26', 'تل أبيب-يافا'),
  (16, 32.09641, 34.77602, 9200, '{SAND}', 0.5, false, 0.95, 'Salt Dunes', '2 HaHolot St', 'Tel Aviv-Yafo', 'חולות המלח', 'החולות 2',
    'תל אביב-יפו', 'كثبان الملح', 'شارع هحولوت 2', 'تل أبيب-يافا'),
  (17, 32.06931, 34.77288, 1700, '{GRASS}', 6, null, 0.6, 'Old Cistern', '11 HaBor St', 'Tel Aviv-Yafo', 'הבור הישן', 'הבור 11',
    'תל אביב-יפו', 'الصهريج القديم', 'شارع هبور 11', 'تل أبيب-يافا'),
  (18, 32.04922, 34.75413, 2400, '{DIRT,SAND}', 3, true, 0.7, 'Orange Gate', '48 HaPardes St', 'Tel Aviv-Yafo', 'שער התפוז', 'הפרדס 48',
    'תל אביב-יפו', 'باب البرتقال', 'شارع هبرديس 48', 'تل أبيب-يافا'),
  (19, 32.04218, 34.75011, 3600, '{GRASS,SAND}', 2, true, 0.6, 'Fishermen''s Meadow', '7 HaDayagim St', 'Tel Aviv-Yafo', 'אחו הדייגים',
    'הדייגים 7', 'תל אביב-יפו', 'مرج الصيادين', 'شارع هدياجيم 7', 'تل أبيب-يافا'),
  (20, 32.08233, 34.81512, 1500, '{DIRT}', 9, false, 0.45, 'Cypress Shade', '33 HaBrosh St', 'Ramat Gan', 'צל הברושים', 'הברוש 33',
    'רמת גן', 'ظل السرو', 'شارع هبروش 33', 'رمات غان'),
  (21, 32.07241, 34.81944, 8800, '{GRASS,DIRT}', 6.5, true, 0.8, 'Echo Valley', '64 HaHed St', 'Ramat Gan', 'עמק ההד', 'ההד 64',
    'רמת גן', 'وادي الصدى', 'شارع ههيد 64', 'رمات غان'),
  (22, 32.07173, 34.80952, 2050, '{GRASS}', 5, true, 0.65, 'Almond Steps', '15 HaShaked St', 'Givatayim', 'מדרגות השקד', 'השקד 15',
    'גבעתיים', 'درجات اللوز', 'شارع هشاكيد 15', 'جفعتايم'),
  (23, 32.06644, 34.80471, 690, '{SAND}', null, null, 0.3, 'Moonlight Patch', '4 HaYare''akh St', 'Givatayim', 'פינת הירח', 'הירח 4',
    'גבעתיים', 'ركن القمر', 'شارع هياريح 4', 'جفعتايم'),
  (24, 32.08471, 34.83322, 1350, '{SYNTHETIC_GRASS}', 4, true, 0.4, 'Fig Court', '21 HaTe''ena St', 'Bnei Brak', 'חצר התאנה',
    'התאנה 21', 'בני ברק', 'فناء التين', 'شارع هتئينا 21', 'بني براك'),
  (25, 32.07742, 34.84931, 2950, '{GRASS}', 3.5, true, 0.5, 'Lark Meadow', '13 HaEfroni St', 'Givat Shmuel', 'אחו העפרוני',
    'העפרוני 13', 'גבעת שמואל', 'مرج القبرة', 'شارع هعفروني 13', 'جفعات شموئيل'),
  (26, 32.08912, 34.86122, 4700, '{GRASS,DIRT}', 5.5, true, 0.7, 'Orchard Loop', '52 HaPardesan St', 'Petah Tikva', 'שביל הפרדסן',
    'הפרדסן 52', 'פתח תקווה', 'حلقة البيارة', 'شارع هبردسان 52', 'بيتح تكفا'),
  (27, 32.09533, 34.88141, 1180, '{DIRT}', 2, null, 0.35, 'Windmill Lot', '28 HaTahana St', 'Petah Tikva', 'מגרש הטחנה', 'הטחנה 28',
    'פתח תקווה', 'ساحة الطاحونة', 'شارع هطحنا 28', 'بيتح تكفا'),
  (28, 32.08021, 34.89013, 5600, '{GRASS,SYNTHETIC_GRASS}', 4, true, 0.6, 'Squill Park', '37 HaHatsav St', 'Petah Tikva', 'פארק החצב',
    'החצב 37', 'פתח תקווה', 'حديقة العنصل', 'شارع هحتساف 37', 'بيتح تكفا'),
  (29, 32.16231, 34.83412, 6900, '{GRASS,SAND}', 3, true, 0.75, 'Sycamore Ring', '10 HaShikma St', 'Herzliya', 'מעגל השקמים',
    'השקמה 10', 'הרצליה', 'حلقة الجميز', 'شارع هشكما 10', 'هرتسليا'),
  (30, 32.17022, 34.80551, 3900, '{SAND}', 1, true, 0.8, 'Kite Beach Run', '1 HaAfifon St', 'Herzliya', 'מסלול העפיפון', 'העפיפון 1',
    'הרצליה', 'مضمار الطائرة الورقية', 'شارع هعفيفون 1', 'هرتسليا'),
  (31, 32.15611, 34.84822, 960, '{SYNTHETIC_GRASS}', 5, false, 0.3, 'Honeybee Yard', '18 HaDvora St', 'Herzliya', 'חצר הדבורה',
    'הדבורה 18', 'הרצליה', 'ساحة النحلة', 'شارع هدفورا 18', 'هرتسليا'),
  (32, 32.14533, 34.83911, 2700, '{GRASS}', 7, true, 0.55, 'Strawberry Field', '45 HaSade St', 'Ramat HaSharon', 'שדה התותים',
    'השדה 45', 'רמת השרון', 'حقل الفراولة', 'شارع هساديه 45', 'رمات هشارون'),
  (33, 32.13622, 34.84233, 1450, '{DIRT,GRASS}', 6, null, 0.4, 'Barn Owl Wood', '23 HaTinshemet St', 'Ramat HaSharon', 'חורשת התנשמת',
    'התנשמת 23', 'רמת השרון', 'حرش البومة', 'شارع هتنشيمت 23', 'رمات هشارون'),
  (34, 32.12144, 34.82312, 3100, '{GRASS}', 4.5, true, 0.6, 'Startup Paws', '16 HaTa''asiya St', 'Tel Aviv-Yafo', 'כפות בהפסקה',
    'התעשייה 16', 'תל אביב-יפו', 'كفوف في استراحة', 'شارع هتعسيا 16', 'تل أبيب-يافا'),
  (35, 32.12633, 34.80233, 12500, '{GRASS,DIRT,SAND}', 3, true, 0.85, 'Airstrip Meadow', '90 HaMaslul St', 'Tel Aviv-Yafo',
    'אחו המסלול', 'המסלול 90', 'תל אביב-יפו', 'مرج المدرج', 'شارع همسلول 90', 'تل أبيب-يافا'),
  (36, 32.01922, 34.77511, 8100, '{SAND,DIRT}', 1.5, true, 0.65, 'Golden Dunes', '31 HaZahav St', 'Holon', 'חולות הזהב', 'הזהב 31',
    'חולון', 'الكثبان الذهبية', 'شارع هزهاف 31', 'حولون'),
  (37, 32.02411, 34.78622, 1220, '{SYNTHETIC_GRASS}', 6, true, 0.45, 'Storybook Garden', '20 HaSipur St', 'Holon', 'גינת הסיפור',
    'הסיפור 20', 'חולון', 'حديقة الحكاية', 'شارع هسيبور 20', 'حولون'),
  (38, 32.06133, 34.85622, 2300, '{GRASS}', 8, true, 0.5, 'Grandma''s Pecan', '27 HaPekan St', 'Kiryat Ono', 'פקאן של סבתא', 'הפקאן 27',
    'קריית אונו', 'جوزة الجدة', 'شارع هبيكان 27', 'كريات أونو'),
  (39, 32.11422, 34.97611, 1600, '{DIRT}', 5, null, 0.35, 'Olive Terrace', '12 HaZayit St', 'Kafr Qasim', 'טרסת הזיתים', 'הזית 12',
    'כפר קאסם', 'مصطبة الزيتون', 'شارع هزيت 12', 'كفر قاسم'),
  (40, 32.06255, 34.82811, 480, '{}', null, null, 0.15, 'Corner Lot', '2 HaPina St', 'Ramat Gan', 'מגרש פינתי', 'הפינה 2', 'רמת גן',
    'ساحة الزاوية', 'شارع هبينا 2', 'رمات غان');

insert into public.parks (id, lat, long, size, materials, shade, has_facilities, status, source, source_ref, licence, created_at)
select id, lat, long, size, materials, shade, has_facilities, 'approved', 'demo', id::text, 'CC0-1.0', now() - interval '1 year'
from demo_parks d
-- ON CONFLICT cannot be used, because the constraint on source and source_ref is deferrable.
where not exists (select from public.parks p where p.id = d.id or (p.source = 'demo' and p.source_ref = d.id::text));
-- An operator's park may have the same ID, so all later statements use only parks of the demo.
delete from demo_parks d where not exists (select from public.parks p where p.id = d.id and p.source = 'demo'
  and p.source_ref = d.id::text);
select setval(pg_get_serial_sequence('public.parks', 'id'), (select max(id) from public.parks));

-- Other facts by their OpenStreetMap keys. Some parks have many, most have few, and some have none.
update public.parks p set facts = known.facts::jsonb
from (values
  (1, '{"fenced": "yes", "fence:height": "1.5", "double_gate": "yes", "small_dog": "separate", "drinking_water": "yes", "lit": "yes", "bench": "yes", "bin": "yes", "dog": "unleashed"}'),
  (2, '{"fenced": "yes", "small_dog": "no", "drinking_water": "no", "lit": "yes", "dog": "unleashed"}'),
  (3, '{"fenced": "no", "drinking_water": "yes", "bench": "yes", "wheelchair": "yes"}'),
  (4, '{"fenced": "yes", "double_gate": "no", "small_dog": "shared", "drinking_water": "yes", "bin": "yes"}'),
  (6, '{"fenced": "no", "drinking_water": "no"}'),
  (7, '{"fenced": "yes", "drinking_water": "yes", "bench": "yes", "lit": "no"}'),
  (8, '{"fenced": "yes", "double_gate": "yes", "drinking_water": "yes", "dog_agility": "yes", "parking": "yes"}'),
  (10, '{"fenced": "yes", "drinking_water": "yes", "lit": "yes", "wheelchair": "limited"}'),
  (13, '{"fenced": "yes", "small_dog": "separate", "drinking_water": "yes", "excrement_bags": "yes", "bench": "yes"}'),
  (16, '{"fenced": "no", "dog": "unleashed"}'),
  (21, '{"fenced": "yes", "small_dog": "separate", "drinking_water": "yes", "opening_hours": "Su-Th 06:00-23:00; Fr 06:00-15:00; Sa off", "shelter_distance": "180"}'),
  (25, '{"fenced": "no", "dog": "leashed", "dog:conditional": "unleashed @ (Mo-Su 06:00-09:00,19:00-22:00)"}'),
  (26, '{"fenced": "yes", "parking": "yes", "fee": "no", "opening_hours": "sunrise-sunset"}'),
  (28, '{"fenced": "yes", "drinking_water": "yes", "dog_agility": "yes", "opening_hours": "24/7"}'),
  (29, '{"fenced": "yes", "double_gate": "yes", "small_dog": "shared", "lit": "yes", "bin": "yes"}'),
  (32, '{"fenced": "yes", "bench": "yes"}'),
  (35, '{"fenced": "no", "parking": "yes"}'),
  (38, '{"fenced": "yes", "lit": "yes", "bench": "yes", "drinking_water": "yes"}')
) known (id, facts)
where p.id = known.id and p.id in (select d.id from demo_parks d) and p.facts = '{}';

insert into public.park_translations (park_id, language, name, city, address)
select d.id, t.language::public.language, t.name, t.city, t.address
from demo_parks d
cross join lateral (values
  ('en', d.name_en, d.city_en, d.address_en),
  ('he', d.name_he, d.city_he, d.address_he),
  ('ar', d.name_ar, d.city_ar, d.address_ar)
) t (language, name, city, address)
on conflict do nothing;


create temporary table demo_users (n int, name text, mail text, language text, hidden boolean);
insert into demo_users values
  (1, 'Noa Levi', 'noa', 'en', false),
  (2, 'יובל כהן', 'yuval', 'he', false),
  (3, 'سامي حداد', 'sami', 'ar', false),
  (4, 'Maya Friedman', 'maya', 'en', false),
  (5, 'ליאור מזרחי', 'lior', 'he', false),
  (6, 'رنا خوري', 'rana', 'ar', false),
  (7, 'Tom Bennett', 'tom', 'en', false),
  (8, 'שירה אברהם', 'shira', 'he', false),
  (9, 'كريم ناصر', 'karim', 'ar', false),
  (10, 'אורי פרץ', 'uri', 'he', false),
  (11, 'Dana Gold', 'dana', 'en', false),
  (12, 'גל ביטון', 'gal', 'he', true),
  (13, 'Alex Petrov', 'alex', 'en', false),
  (14, 'תמר שלום', 'tamar', 'he', false);
alter table demo_users add column id uuid generated always as (('00000000-0000-4000-8000-0000000000' || lpad(n::text, 2,
  '0'))::uuid) stored;

insert into auth.users (
  id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
  confirmation_token, recovery_token, email_change_token_new, email_change
)
select id, 'authenticated', 'authenticated', mail || '@demo.packpark.example',
  '$2b$10$WrbxJDnHMXb/Dm4AJVOB0O.o3OH2mmRHgqkWI0nHb8KduQzSVqSqi', now() - interval '200 days',
  '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('full_name', name, 'language', language, 'age_confirmed', true), now() - interval '200 days',
    now() - interval '200 days',
  '', '', '', ''
from demo_users
on conflict do nothing;
insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
select u.id::text, u.id, jsonb_build_object('sub', u.id, 'email', u.mail || '@demo.packpark.example', 'email_verified', true), 'email',
  now() - interval '200 days', now() - interval '200 days'
from demo_users u join auth.users a on a.id = u.id
on conflict do nothing;
update public.users u set hidden = true from demo_users d where d.id = u.id and d.hidden and not u.hidden;
update private.user_consents c set terms_accepted_at = now() - interval '200 days', licence_agreed_at = now() - interval '200 days'
  from demo_users d where d.id = c.user_id and c.terms_accepted_at is null;

insert into public.dogs (id, owner, name, breed, gender, birthday, size, energy, possessive, temperament, likes, dislikes, description)
select ('00000000-0000-4000-8000-0000000001' || lpad(d.n::text, 2, '0'))::uuid, u.id, d.name, d.breed, d.gender::public.dog_gender,
  current_date - d.days, d.size::public.dog_size,
  d.energy::public.dog_energy, d.possessive, d.temperament, d.likes, d.dislikes, d.description
from (values
  (1, 1, 'Pita', 'canaan_dog', 'FEMALE', 1340, 'MEDIUM', 'HIGH', false, 'Curious, a little shy at first', 'tennis balls, sprinklers',
    'scooters', 'Found near the market, now runs the house.'),
  (2, 1, 'Zaatar', 'mixed', 'MALE', 420, 'SMALL', 'HIGH', true, 'Bold', 'socks, digging', 'baths', null),
  (3, 2, 'שוקו', 'labrador_retriever', 'MALE', 2210, 'LARGE', 'MEDIUM', false, 'רגוע וידידותי', 'מים, כדורים, חטיפים', 'זיקוקים',
    'אוהב את כולם, במיוחד מי שמחזיק סנדוויץ׳.'),
  (4, 3, 'لولو', 'poodle_miniature', 'FEMALE', 980, 'SMALL', 'MEDIUM', false, 'لطيفة وهادئة', 'الجري على الرمل', 'الرعد', null),
  (5, 4, 'Biscuit', 'golden_retriever', 'FEMALE', 730, 'LARGE', 'HIGH', false, 'Gentle with puppies', 'sticks, swimming',
    'cats who stare', null),
  (6, 5, 'מוקה', 'border_collie', 'FEMALE', 1610, 'MEDIUM', 'HIGH', true, 'חכמה וחדה', 'פריזבי, מסלולים', 'אופנועים', 'רועה את כל הגינה.'),
  (7, 6, 'بندق', 'beagle', 'MALE', 1150, 'SMALL', 'MEDIUM', false, 'فضولي', 'الروائح, الجبن', 'الانتظار', null),
  (8, 7, 'Winston', 'french_bulldog', 'MALE', 1890, 'SMALL', 'LOW', false, 'Dignified', 'shade, naps', 'stairs', 'Snores. Loudly.'),
  (9, 8, 'בוץ', 'mixed', 'MALE', 2900, 'MEDIUM', 'LOW', false, 'זקן ומבסוט', 'שמש, ליטופים', 'גורים קופצניים', null),
  (10, 9, 'رعد', 'german_shepherd', 'MALE', 1420, 'LARGE', 'HIGH', true, 'وفيّ', 'الكرة, القفز', 'الغرباء في الليل', null),
  (11, 10, 'קיווי', 'mixed', 'FEMALE', 610, 'SMALL', 'HIGH', false, 'עליזה', 'לרדוף אחרי עלים', 'גשם', null),
  (12, 11, 'Hummus', 'pug', 'MALE', 1300, 'SMALL', 'LOW', false, 'Sociable', 'everyone', 'heat', null),
  (13, 12, 'לונה', 'siberian_husky', 'FEMALE', 1050, 'LARGE', 'HIGH', false, null, 'לילה קריר', 'צהריים', null),
  (14, 13, 'Laika', 'whippet', 'FEMALE', 870, 'MEDIUM', 'HIGH', false, 'Fast, then asleep', 'chasing shadows', 'wind', null),
  (15, 14, 'ג׳ינג׳י', 'dachshund', 'MALE', 1760, 'SMALL', 'MEDIUM', true, 'עקשן חמוד', 'לחפור בחול', 'מטריות', null)
) d (n, owner, name, breed, gender, days, size, energy, possessive, temperament, likes, dislikes, description)
join demo_users u on u.n = d.owner
on conflict do nothing;

insert into private.friendships (user_low, user_high, requester, status, created_at, accepted_at)
select least(a.id, b.id), greatest(a.id, b.id), a.id, f.status::private.friendship_status, now() - make_interval(days => f.days),
  case when f.status = 'accepted' then now() - make_interval(days => f.days - 1) end
from (values
  (1, 2, 'accepted', 120), (1, 3, 'accepted', 90), (4, 1, 'accepted', 60), (1, 5, 'accepted', 33), (6, 1, 'pending', 2),
    (1, 7, 'pending', 4),
  (2, 5, 'accepted', 150), (3, 6, 'accepted', 140), (3, 9, 'accepted', 100), (8, 10, 'accepted', 80), (4, 11, 'accepted', 45),
  (12, 1, 'accepted', 20), (13, 7, 'accepted', 15), (14, 8, 'pending', 3)
) f (a, b, status, days)
join demo_users a on a.n = f.a join demo_users b on b.n = f.b
on conflict do nothing;

insert into public.favourite_parks (user_id, park_id)
select u.id, p.id from (values (1, 1), (1, 3), (1, 16), (2, 1), (2, 10), (3, 19), (3, 13), (4, 8), (5, 3), (6, 18), (7, 12)) f (n, park)
join demo_users u on u.n = f.n join demo_parks p on p.id = f.park
on conflict do nothing;


insert into public.reviews (park_id, author, title, content, rank, anonymous, created_at, updated_at)
select p.id, u.id, r.title, r.content, r.rank, r.anonymous, now() - r.ago, now() - r.ago
from (values
  (1, 1, 5, false, 'Our second living room', 'Big trees, a working fountain and people who pick up. Mornings are the best.',
    interval '12 days 3 hours'),
  (1, 2, 4, false, 'מקום נהדר', 'הרבה צל והברזייה עובדת. בערב קצת צפוף.', interval '30 days'),
  (1, 8, 5, true, 'פינה ירוקה', 'הכלב הזקן שלנו אוהב לשכב כאן מתחת לעץ.', interval '44 days'),
  (1, 7, 4, false, 'Shady and friendly', 'Winston approves of the shade. One bench could use a new plank.', interval '5 days 7 hours'),
  (2, 5, 3, false, 'קטן אבל קרוב', 'חול עמוק אחרי הגשם, אבל מושלם לסיבוב קצר.', interval '20 days'),
  (2, 11, 4, false, 'Tidy little corner', 'Small dogs love it. Not much room for a real run.', interval '9 days'),
  (3, 1, 5, false, 'Room to run', 'The lawn really is long. Bring water in August.', interval '61 days'),
  (3, 4, 5, false, 'Biscuit''s favourite', 'Soft grass, open lawns, kind regulars.', interval '17 days'),
  (3, 10, 4, false, 'דשא מושקע', 'המרחב הפתוח מרגיע מאוד. חניה יש רק בבוקר.', interval '26 days'),
  (3, 6, 5, false, 'مكان جميل', 'العشب نظيف والناس لطفاء جدًا.', interval '8 days'),
  (4, 13, 3, false, 'Turf gets hot', 'Fine in the evening, too warm for paws at noon.', interval '35 days'),
  (6, 14, 4, false, 'נוף לנחל', 'שווה להגיע בשקיעה. אין ברזייה, להביא מים.', interval '15 days'),
  (6, 9, 4, true, 'هادئ وواسع', 'هادئ في الصباح ومناسب للكلاب الكبيرة.', interval '22 days'),
  (8, 4, 5, false, 'Worth the detour', 'Two separate areas for large and small dogs. Willow shade all afternoon.', interval '40 days'),
  (8, 5, 5, false, 'הכי טוב באזור', 'מרחב אמיתי לריצה, וקהילה נחמדה.', interval '11 days'),
  (10, 2, 5, false, 'גבעה עם רוח', 'תמיד יש כאן רוח נעימה.', interval '52 days'),
  (10, 12, 4, false, 'אהבנו', 'שקט בבקרים של אמצע השבוע.', interval '13 days'),
  (12, 7, 4, false, 'Good mix', 'Half grass, half turf, and a coffee cart on Fridays.', interval '28 days'),
  (13, 3, 5, false, 'ظل طبيعي رائع', 'الأشجار الكبيرة تعطي ظلًا طوال النهار.', interval '19 days'),
  (13, 8, 4, false, 'צל, צל, צל', 'שבעת הפיקוסים באמת שם. ספרנו.', interval '33 days'),
  (16, 1, 5, false, 'Dunes and sea wind', 'Sand everywhere afterwards, and we would not change it.', interval '24 days'),
  (16, 11, 4, false, 'No shade', 'Wonderful at sunset, impossible at noon.', interval '37 days'),
  (18, 3, 4, false, 'قريب من البحر', 'رائحة البرتقال في الربيع لا تُنسى.', interval '70 days'),
  (19, 6, 5, false, 'إطلالة جميلة', 'غروب الشمس هنا أحلى من أي مكان.', interval '16 days'),
  (21, 10, 4, false, 'עמק שלם', 'נביחה אחת וכל העמק עונה.', interval '48 days'),
  (29, 13, 5, false, 'Old trees', 'A ring of sycamores, like a small theatre for dogs.', interval '21 days'),
  (35, 7, 4, false, 'Huge', 'You can walk for half an hour and never leave the fence.', interval '14 days'),
  (36, 14, 2, false, 'חול בכל מקום', 'יפה, אבל הגדר שבורה בצד המזרחי.', interval '6 days')
) r (park, n, rank, anonymous, title, content, ago)
join demo_users u on u.n = r.n join demo_parks p on p.id = r.park
on conflict do nothing;

insert into private.live_reports (park_id, condition, reporter, reported_at, confirmed_at, expires_at)
select p.id, r.condition::public.park_condition, u.id, now() - r.ago, case when r.confirmed then now() - r.ago / 2 end,
  now() - r.ago + private.condition_duration(r.condition::public.park_condition)
from (values
  (2, 5, 'muddy', interval '2 hours', true), (7, 11, 'brokenFountain', interval '1 day 4 hours', true),
  (21, 10, 'underConstruction', interval '3 days', false), (18, 9, 'gateClosed', interval '50 minutes', false)
) r (park, n, condition, ago, confirmed)
join demo_users u on u.n = r.n join demo_parks p on p.id = r.park
on conflict do nothing;
insert into private.live_report_votes (report_id, user_id, vote)
select r.id, u.id, 'confirm' from private.live_reports r join demo_parks p on p.id = r.park_id join demo_users u on u.n in (8, 13)
where r.confirmed_at is not null
on conflict do nothing;

-- Visits in progress.

insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at)
select u.id, p.id, c.dogs, now() - make_interval(mins => c.since), now() + make_interval(mins => c.left)
from (values (2, 1, 1, 25, 95), (3, 1, 1, 12, 130), (7, 1, 2, 40, 60), (5, 3, 1, 8, 110), (4, 3, 1, 31, 75), (8, 3, 2, 5, 150),
  (9, 3, 1, 18, 100), (10, 3, 1, 3, 170), (11, 3, 1, 22, 80), (6, 8, 1, 35, 90), (13, 16, 1, 15, 120), (14, 6, 1, 10, 140),
    (12, 10, 1, 20, 110)
) c (n, park, dogs, since, "left")
join demo_users u on u.n = c.n join demo_parks p on p.id = c.park
where not exists (select from public.check_ins x where x.user_id = u.id)
on conflict do nothing;
insert into public.check_in_dogs (check_in_id, dog_id)
select c.id, d.id
from demo_users u join public.check_ins c on c.user_id = u.id and c.ended_at is null
join lateral (select id from public.dogs d where d.owner = u.id and d.deleted_at is null order by d.created_at,
  d.id limit c.dog_count) d on true
on conflict do nothing;

-- These users visited every day, so they are regulars. A newcomer also counts if regulars are there (docs/trust.md).
insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
select c.user_id, c.park_id, c.dog_count, c.started_at - past.ago, c.expires_at - past.ago, c.expires_at - past.ago
from demo_users u join public.check_ins c on c.user_id = u.id and c.ended_at is null
cross join (values (interval '2 days'), (interval '3 days')) past (ago)
where not exists (select from public.check_ins x where x.user_id = u.id and x.ended_at is not null);

-- The regulars of one park meet weekly.
with pack as (
  insert into private.pack_times (park_id, weekday, starts) select p.id, 2, '18:00' from demo_parks p where p.id = 3
  on conflict do nothing returning id, park_id
)
insert into private.pack_time_members (pack_time_id, user_id)
select pack.id, c.user_id
from pack join public.check_ins c on c.park_id = pack.park_id and c.ended_at is null join demo_users u on u.id = c.user_id;

-- Busy hours of two weeks, only in the mornings and evenings, because the first start waits for the insertion of each row.

insert into private.busy_hours (park_id, day, hour, dogs)
select p.id, day, hour, round(dogs, 2)
from demo_parks p
cross join generate_series((now() at time zone 'Asia/Jerusalem')::date - 14, (now() at time zone 'Asia/Jerusalem')::date - 1,
  interval '1 day') slot (at)
cross join generate_series(5, 22) hour
cross join lateral (select slot.at::date as day, extract(dow from slot.at)::integer as dow) d
-- The number of dogs has two peaks, before and after work. On Friday the evening peak is early, and on Saturday the morning peak is
-- late. float8 is used because exp is much slower for numeric, and offset 0 makes PostgreSQL evaluate it once. A hash replaces
-- random numbers, so that every run has the same result.
cross join lateral (select
  (case when d.dow = 5 then 8.6 when d.dow = 6 then 9.8 else 6.9 end + (p.id % 3 - 1) * 0.4)::float8 as morning,
  (case when d.dow = 5 then 16.2 when d.dow = 6 then 19.2 else 18.6 end + (p.id % 4 - 1.5) * 0.4)::float8 as evening,
  0.55::float8 + (abs(hashtext(p.id || '/' || d.day || '/' || hour)) % 900) / 1000.0::float8 as chance
  offset 0
) s
cross join lateral (select (p.popularity::float8 * s.chance * (
    (case when d.dow in (5, 6) then 6.5 else 5 end) * exp(-((hour - s.morning) ^ 2) / 2.6)
    + (case when d.dow = 5 then 5 else 7.5 end) * exp(-((hour - s.evening) ^ 2) / 3.4)
    + (case when d.dow in (5, 6) then 1.6 else 0.7 end) * exp(-((hour - 13.0::float8) ^ 2) / 14)
  ))::numeric as dogs offset 0) v
where dogs >= 0.15
on conflict do nothing;

drop table demo_parks, demo_users;
