// A real SMTP server on loopback that keeps what it is sent.
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { vi } from 'vitest';

interface ReceivedMail {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The link in it, if any. */
  link: string;
  /** The six-digit code in it, if any. */
  code: string;
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Waits for the newest mail to an address whose subject matches, and takes it out. */
  take(to: string, subject?: RegExp): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** @param options.port a free one unless given; `refuses` tells which addresses it answers 550 */
export async function startMailServer(
  options: { port?: number; refuses?: (address: string) => boolean } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(
        options.refuses?.(address)
          ? Object.assign(new Error(`No ${address} here`), { responseCode: 550 })
          : undefined,
      );
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject, html, text }) => {
          const plain = text ?? '';
          mails.push({
            to: session.envelope.rcptTo[0]?.address ?? '',
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
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    take: (to, subject = /./) =>
      vi.waitFor(() => {
        const index = mails.findLastIndex((mail) => mail.to === to && subject.test(mail.subject));
        const [mail] = index === -1 ? [] : mails.splice(index, 1);
        if (!mail) throw new Error(`No mail to ${to}`);
        return mail;
      }, 20_000),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
