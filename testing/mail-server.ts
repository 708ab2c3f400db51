// A real SMTP server on loopback that stores its mails and can be made to fail.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { vi } from 'vitest';
import { atEnd } from './at-end.ts';

interface ReceivedMail {
  to: string;
  subject: string;
  html: string;
  text: string;
  link: string;
  /** The six-digit code in the mail, if any. */
  code: string;
}

interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** The status with which it rejects a recipient or the data; null to accept. Can be replaced. */
  rejects(address: string, command: 'RCPT TO' | 'DATA'): number | null;
  /** Accepts connections, breaks them, or does not respond. */
  setState(state: 'up' | 'down' | 'silent'): void;
  /** The number of connections that wait for a response while it is silent. */
  waiting(): number;
  /** Waits for the newest mail to an address with a matching subject, and removes it. */
  take(to: string, subject?: RegExp): Promise<ReceivedMail>;
}

/** Opens a mailed link and presses the button of its page, which posts a form to the same URL. */
export async function pressLink(link: string, headers: Record<string, string> = {}) {
  const page = await fetch(link, { headers });
  if (page.status !== 200 || !(await page.text()).includes('<form method="post">'))
    throw new Error(`The link leads to no page with a button: ${page.status}`);
  return fetch(link, { method: 'POST', body: new URLSearchParams(), redirect: 'manual', headers });
}

/** Starts it on a free port, which stays bound while the server is down, because another process could take it otherwise. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const rejection = (address: string, command: 'RCPT TO' | 'DATA') => {
    const responseCode = mailServer.rejects(address, command);
    return responseCode === null
      ? null
      : Object.assign(new Error(`No ${address} here`), { responseCode });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(rejection(address, 'RCPT TO'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const rejected = rejection(to, 'DATA');
        if (rejected) return done(rejected);
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject, html, text }) => {
          const plain = text ?? '';
          mails.push({
            to,
            subject: subject ?? '',
            html: html ?? '',
            text: plain,
            link: /https?:\/\/\S+/.exec(plain)?.[0] ?? '',
            code: /^\d{6}$/m.exec(plain)?.[0] ?? '',
          });
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: inner } = server.server.address() as AddressInfo;

  let state: 'up' | 'down' | 'silent' = 'up';
  const waiting = new Set<Socket>();
  const door = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (state === 'down') socket.resetAndDestroy();
    else if (state === 'silent') {
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket)).resume();
    } else {
      const passed = connect(inner, '127.0.0.1');
      passed.on('error', () => socket.destroy());
      socket.on('close', () => passed.destroy());
      socket.pipe(passed).pipe(socket);
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));

  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`,
    mails,
    rejects: () => null,
    setState(next) {
      state = next;
      for (const socket of waiting) socket.resetAndDestroy();
    },
    waiting: () => waiting.size,
    take: (to, subject = /./) =>
      vi.waitFor(() => {
        const index = mails.findLastIndex((mail) => mail.to === to && subject.test(mail.subject));
        const [mail] = index === -1 ? [] : mails.splice(index, 1);
        if (!mail) throw new Error(`No mail to ${to}`);
        return mail;
      }, 20_000),
  };
  atEnd(async () => {
    mailServer.setState('down');
    await new Promise((resolve) => door.close(resolve));
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return mailServer;
}
