import { createServer, type Socket } from 'node:net';

export type Mail = { to: string; subject: string; text: string };

/**
 * A mail server over real SMTP that keeps every accepted mail and refuses recipients at `refused.example`. Recipients
 * at e.g. `451.rcpt.example`, and mails to `554.data.example`, are answered with that code.
 */
export async function startSmtp() {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    let to = '';
    let data: string[] | null = null;
    let rest = '';
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const onLine = (line: string) => {
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\.\./, '.'));
        const code = /@(\d{3})\.data\.example$/.exec(to)?.[1];
        if (!code) mails.push(readMail(to, data.join('\n')));
        data = null;
        return answer(code ? `${code} not taken` : '250 2.0.0 kept');
      }
      const verb = line.split(/[ :]/)[0]?.toUpperCase();
      if (verb === 'EHLO') return answer('250-fake\r\n250 8BITMIME');
      if (verb === 'RCPT') {
        to = /<([^>]+)>/.exec(line)?.[1] ?? '';
        const code = /@(\d{3})\.rcpt\.example$/.exec(to)?.[1];
        if (code) return answer(`${code} not taken`);
        return answer(to.endsWith('@refused.example') ? '550 5.1.1 no such mailbox' : '250 2.1.5 ok');
      }
      if (verb === 'DATA') {
        data = [];
        return answer('354 go on');
      }
      if (verb === 'QUIT') {
        answer('221 bye');
        return socket.end();
      }
      return answer(
        verb === 'HELO' || verb === 'MAIL' || verb === 'RSET' || verb === 'NOOP' ? '250 ok' : '502 5.5.1 unknown',
      );
    };
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    answer('220 fake ESMTP');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function readMail(to: string, source: string): Mail {
  const [head = '', ...body] = source.split('\n\n');
  const subject = /^Subject: (.*)$/m.exec(head)?.[1] ?? '';
  return { to, subject, text: body.join('\n\n').replace(/=\n/g, '') };
}
