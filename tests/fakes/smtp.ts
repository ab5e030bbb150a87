import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { readMail } from './readMail.ts';

/** A mail as its reader gets it: each part decoded. `headers` by name in small letters. */
export type Mail = { to: string; subject: string; text: string; html: string; headers: Record<string, string> };

/** An SMTP error with the code that the server answers. */
const refusal = (responseCode: number) => Object.assign(new Error('not taken'), { responseCode });

/** The code in front of a domain, e.g. 451 of `ada@451.rcpt.example`. */
function codeIn(address: string, stage: 'rcpt' | 'data'): number | null {
  const named = /@(\d{3})\.(rcpt|data)\.example$/.exec(address);
  return named?.[2] === stage ? Number(named[1]) : null;
}

/**
 * A mail server over real SMTP that keeps every accepted mail and refuses recipients at `refused.example`. Recipients
 * at e.g. `451.rcpt.example`, and mails to `554.data.example`, are answered with that code.
 */
export async function startSmtp() {
  const mails: Mail[] = [];
  let gate = Promise.resolve();
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 200,
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onRcptTo({ address }, _session, done) {
      await gate;
      const code = address.endsWith('@refused.example') ? 550 : codeIn(address, 'rcpt');
      done(code ? refusal(code) : null);
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      const code = codeIn(to, 'data');
      if (code) return done(refusal(code));
      mails.push({ to, ...readMail(Buffer.concat(chunks).toString('latin1')) });
      done();
    },
  });
  // A client that goes away in between is no fault of the server.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Answers no recipient until the returned function is called. */
    hold(): () => void {
      let release = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    /** How many connections are open. */
    connections: () => server.connections.size,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
