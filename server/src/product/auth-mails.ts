// The mails of the login in each language: one layout, and the texts of each mail. What stands in {{ }} is filled in when a mail is
// sent; scripts/mail-templates.ts makes the files for the Supabase platform of the same.
import type { MailKind } from '#/host/lib/host-parts.ts';
import type { Language } from '#/product/languages.ts';

type ByLanguage<Value> = Record<Language, Value>;
type Texts = [
  subject: string,
  heading: string,
  sentence: string,
  button: string | null,
  note: string,
];

const LTR = (placeholder: string) => `<bdi dir="ltr">{{ .${placeholder} }}</bdi>`;

/** By mail and language: subject, heading, sentence, button (none: only the code), note at the end. */
const texts: Record<MailKind, ByLanguage<Texts>> = {
  confirmation: {
    en: [
      'Confirm your email for Packpark',
      'Welcome to the pack',
      'One tap, and your account is ready.',
      'Confirm email',
      'If you did not sign up, you can ignore this mail.',
    ],
    he: [
      'אימות כתובת המייל ל-Packpark',
      'ברוכים הבאים ללהקה',
      'נשארה רק הקשה אחת והחשבון מוכן.',
      'אימות המייל',
      'לא נרשמתם? אפשר להתעלם מההודעה.',
    ],
    ar: [
      'تأكيد بريدكم الإلكتروني في Packpark',
      'أهلًا بكم معنا',
      'نقرة واحدة ويصبح حسابكم جاهزًا.',
      'تأكيد البريد الإلكتروني',
      'إذا لم تسجّلوا في Packpark، يمكنكم تجاهل هذه الرسالة.',
    ],
  },
  recovery: {
    en: [
      'Choose a new password for Packpark',
      'Choose a new password',
      'Somebody, hopefully you, asked for a new password for your account.',
      'Choose password',
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
    he: [
      'בחירת סיסמה חדשה ל-Packpark',
      'בחירת סיסמה חדשה',
      'התקבלה בקשה לסיסמה חדשה לחשבון שלכם.',
      'בחירת סיסמה',
      'לא ביקשתם? אפשר להתעלם מההודעה, והסיסמה תישאר כפי שהיא.',
    ],
    ar: [
      'اختيار كلمة مرور جديدة لـ Packpark',
      'اختيار كلمة مرور جديدة',
      'تلقّينا طلبًا لتعيين كلمة مرور جديدة لحسابكم.',
      'اختيار كلمة مرور',
      'إذا لم تطلبوا ذلك، تجاهلوا هذه الرسالة وستبقى كلمة المرور كما هي.',
    ],
  },
  magic_link: {
    en: [
      'Your Packpark login link',
      'Log in to Packpark',
      'This link logs you in. It works once, for one hour.',
      'Log in',
      'If you did not ask for it, you can ignore this mail.',
    ],
    he: [
      'קישור הכניסה שלכם ל-Packpark',
      'כניסה ל-Packpark',
      'הקישור מכניס אתכם לחשבון. הוא פועל פעם אחת, במשך שעה.',
      'כניסה',
      'לא ביקשתם? אפשר להתעלם מההודעה.',
    ],
    ar: [
      'رابط الدخول إلى Packpark',
      'تسجيل الدخول إلى Packpark',
      'يُدخلكم هذا الرابط إلى حسابكم. يعمل مرة واحدة ولمدة ساعة.',
      'تسجيل الدخول',
      'إذا لم تطلبوه، يمكنكم تجاهل هذه الرسالة.',
    ],
  },
  invite: {
    en: [
      'You are invited to Packpark',
      'Come and join the pack',
      'Packpark is a map of dog parks: how many dogs are there now, when it gets busy, and friends to meet.',
      'Accept the invitation',
      'If you do not know why you got this, you can ignore it.',
    ],
    he: [
      'הוזמנתם ל-Packpark',
      'בואו להצטרף ללהקה',
      'Packpark היא מפה של גינות כלבים: כמה כלבים יש שם עכשיו, מתי עמוס ואילו חברים אפשר לפגוש.',
      'קבלת ההזמנה',
      'לא ברור לכם למה קיבלתם את ההודעה? אפשר להתעלם ממנה.',
    ],
    ar: [
      'دعوة إلى Packpark',
      'انضمّوا إلينا',
      'Packpark خريطة لحدائق الكلاب: كم كلبًا هناك الآن، ومتى تزدحم، وأصدقاء للقاء.',
      'قبول الدعوة',
      'إذا لم تعرفوا سبب وصول هذه الرسالة، يمكنكم تجاهلها.',
    ],
  },
  email_change: {
    en: [
      'Confirm your new email for Packpark',
      'A new email for your account',
      `Confirm that your account moves from ${LTR('Email')} to ${LTR('NewEmail')}.`,
      'Confirm change',
      'If you did not ask for this, do not confirm it, and change your password.',
    ],
    he: [
      'אישור כתובת מייל חדשה ל-Packpark',
      'כתובת מייל חדשה לחשבון',
      `נא לאשר את המעבר של החשבון מ-${LTR('Email')} אל ${LTR('NewEmail')}.`,
      'אישור השינוי',
      'לא ביקשתם? לא לאשר, ולהחליף סיסמה.',
    ],
    ar: [
      'تأكيد بريدكم الإلكتروني الجديد في Packpark',
      'بريد إلكتروني جديد لحسابكم',
      `أكّدوا نقل حسابكم من ${LTR('Email')} إلى ${LTR('NewEmail')}.`,
      'تأكيد التغيير',
      'إذا لم تطلبوا ذلك، فلا تؤكّدوه وغيّروا كلمة المرور.',
    ],
  },
  reauthentication: {
    en: [
      'Your Packpark code',
      'Is it you?',
      'Enter this code in Packpark to go on. It works for one hour.',
      null,
      'If you did not ask for it, change your password.',
    ],
    he: [
      'הקוד שלכם ל-Packpark',
      'לוודא שזה אתם',
      'כדי להמשיך יש להזין את הקוד ב-Packpark. הוא תקף לשעה.',
      null,
      'לא ביקשתם קוד? כדאי להחליף סיסמה.',
    ],
    ar: [
      'رمزكم في Packpark',
      'للتأكد من هويتكم',
      'أدخلوا هذا الرمز في Packpark للمتابعة. صالح لمدة ساعة.',
      null,
      'إذا لم تطلبوه، فغيّروا كلمة المرور.',
    ],
  },
};

const orCode = { en: 'Or enter this code:', he: 'או להזין את הקוד:', ar: 'أو أدخلوا هذا الرمز:' };
export const MAIL_KINDS = Object.keys(texts) as MailKind[];

const direction = { en: 'ltr', he: 'rtl', ar: 'rtl' };
const font = "Rubik, 'Segoe UI', Roboto, Arial, sans-serif";

/** A mail's subject and page, with its placeholders. */
export function authMail(kind: MailKind, language: Language): { subject: string; html: string } {
  const [subject, heading, sentence, button, note] = texts[kind][language];
  const dir = direction[language];
  const action =
    button === null
      ? ''
      : `<p style="margin:24px 0"><a href="{{ .ConfirmationURL }}" style="display:inline-block;padding:14px 28px;border-radius:12px;background:#1d7a4f;color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
              <p style="margin:0 0 4px;color:#56635c;font-size:15px">${orCode[language]}</p>
              `;
  const html = `<!doctype html>
<html lang="${language}" dir="${dir}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light" />
    <title>${subject}</title>
  </head>
  <body dir="${dir}" style="margin:0;background:#fbf8f1">
    <table role="presentation" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f1">
      <tr>
        <td align="center" style="padding:32px 16px">
          <table role="presentation" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e6e0d3;border-radius:20px;text-align:start">
            <tr>
              <td style="padding:32px 28px;font-family:${font};font-size:17px;line-height:1.45;color:#1e2a25">
              <p style="margin:0 0 20px;color:#1d7a4f;font-weight:700">Packpark</p>
              <h1 style="margin:0 0 12px;font-size:28px;line-height:1.2">${heading}</h1>
              <p style="margin:0 0 16px">${sentence}</p>
              ${action}<p dir="ltr" style="margin:0 0 24px;font-size:28px;font-weight:700;letter-spacing:6px;text-align:${dir === 'rtl' ? 'right' : 'left'}">{{ .Token }}</p>
              <p style="margin:0;color:#56635c;font-size:13px">${note}</p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
  return { subject, html };
}
