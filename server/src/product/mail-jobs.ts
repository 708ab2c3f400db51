// Which jobs are mails: what tells operators how many wait counts these. A request for a mail is none yet.
export const MAIL_JOBS = ['send-mail', 'send-change-mail', 'desk-mail'];
