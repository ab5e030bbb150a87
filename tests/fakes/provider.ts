import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { status: number; body: object };

const readForm = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
};
const refused = (error: string, status = 400): Answer => ({ status, body: { error } });

/**
 * Another company's service over real HTTP, as far as tokens go (RFC 6749, section 6): refresh tokens are good once, and
 * what it was asked stays readable.
 */
export async function startProvider(client = { id: 'arc', secret: 'shh' }) {
  /** Access tokens and refresh tokens that are good. */
  const accessTokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const asked: Record<string, string>[] = [];
  const faults: Answer[] = [];
  let held: Promise<void> | null = null;
  let letGo = () => {};
  let waiting = 0;

  function give() {
    const [access, refresh] = [`access-${randomBytes(6).toString('hex')}`, `refresh-${randomBytes(6).toString('hex')}`];
    accessTokens.add(access);
    refreshTokens.add(refresh);
    return { access_token: access, token_type: 'Bearer', refresh_token: refresh };
  }

  function answerToken(form: URLSearchParams): Answer {
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
      return refused('invalid_client', 401);
    const renews = form.get('grant_type') === 'refresh_token' && refreshTokens.delete(form.get('refresh_token') ?? '');
    return renews ? { status: 200, body: give() } : refused('invalid_grant');
  }

  const server = createServer(async (request, response) => {
    const form = await readForm(request);
    asked.push(Object.fromEntries(form));
    if (held) {
      waiting += 1;
      await held;
      waiting -= 1;
    }
    const { status, body } = faults.shift() ?? answerToken(form);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    client,
    asked,
    accessTokens,
    /** Tokens as after a consent. */
    give,
    /** Has the next call be answered so. */
    fail: (status: number, error: string) => faults.push(refused(error, status)),
    /** Holds back every answer about tokens. @returns lets them go */
    hold(): () => void {
      held = new Promise((resolve) => {
        letGo = () => {
          held = null;
          resolve();
        };
      });
      return letGo;
    },
    /** How many calls are held back. */
    waiting: () => waiting,
    /** Takes back every token, without a word. */
    revokeAll() {
      accessTokens.clear();
      refreshTokens.clear();
    },
    /** Ends every fault, and answers what is held. */
    recover() {
      faults.length = 0;
      letGo();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        letGo();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type FakeProvider = Awaited<ReturnType<typeof startProvider>>;
