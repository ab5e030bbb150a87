import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary, type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import type { Fields, Session } from '../commands/context.ts';
import { CommandError } from '../errors.ts';
import { USER } from '../ownership/address.ts';

const ITERATIONS = 15_000;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const failed = () => new CommandError('AuthenticationFailed', 'Authentication failed.');

/** What the server keeps of a password: never the password itself. */
type Credentials = { salt: Buffer; storedKey: Buffer; serverKey: Buffer };

function credentialsOf(password: string): Credentials {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  return { salt, storedKey, serverKey: hmac(salted, 'Server Key') };
}

function payloadText(payload: Value): string {
  if (payload instanceof Binary) return payload.toString('utf8');
  if (typeof payload === 'string') return Buffer.from(payload, 'base64').toString('utf8');
  throw failed();
}

const attributes = (text: string): Map<string, string> =>
  new Map(text.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));

/** The state of a login; `short` where the client skips the empty last exchange. */
type Conversation = { first: string; server: string; nonce: string; short: boolean };

function begin(request: Doc, { salt }: Credentials): Conversation {
  const message = payloadText(request.get('payload'));
  const given = attributes(message.slice(3));
  const known = request.get('mechanism') === 'SCRAM-SHA-256' && message.startsWith('n,,') && given.get('n') === USER;
  if (!known || !given.get('r')) throw failed();
  const nonce = given.get('r')! + randomBytes(18).toString('base64');
  const server = `r=${nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
  const options = request.get('options');
  return { first: message.slice(3), server, nonce, short: isDoc(options) && truthy(options.get('skipEmptyExchange')) };
}

/** Checks the proof of the password; gives the server's own. */
function finish(message: string, conversation: Conversation, { storedKey, serverKey }: Credentials): string {
  const given = attributes(message);
  const proof = Buffer.from(given.get('p') ?? '', 'base64');
  if (given.get('r') !== conversation.nonce || given.get('c') !== 'biws' || proof.length !== 32) throw failed();
  const text = `${conversation.first},${conversation.server},c=biws,r=${conversation.nonce}`;
  const signature = hmac(storedKey, text);
  const clientKey = Buffer.from(proof.map((byte, i) => byte ^ signature[i]!));
  if (!timingSafeEqual(createHash('sha256').update(clientKey).digest(), storedKey)) throw failed();
  return `v=${hmac(serverKey, text).toString('base64')}`;
}

const reply = (done: boolean, text: string): Fields => ({
  conversationId: 1,
  done,
  payload: new Binary(Buffer.from(text)),
});

/** Makes sessions that must authenticate with SCRAM-SHA-256 before anything else. */
export function scramSession(password: string): (id: number) => Session {
  const credentials = credentialsOf(password);
  return (id) => {
    let conversation: Conversation | undefined;
    const start = (request: Doc): Fields => {
      conversation = begin(request, credentials);
      return reply(false, conversation.server);
    };
    const session: Session = {
      id,
      authenticated: false,
      hello({ body }) {
        const saslSupportedMechs = body.has('saslSupportedMechs') ? ['SCRAM-SHA-256'] : undefined;
        const speculative = body.get('speculativeAuthenticate');
        try {
          return { saslSupportedMechs, speculativeAuthenticate: isDoc(speculative) ? start(speculative) : undefined };
        } catch {
          // Without this, a client that sent a wrong password could restart the exchange.
          return { saslSupportedMechs };
        }
      },
      sasl({ name, body }) {
        if (name === 'saslStart') return start(body);
        if (session.authenticated) return reply(true, '');
        const current = conversation;
        conversation = undefined;
        if (!current) throw failed();
        const proof = finish(payloadText(body.get('payload')), current, credentials);
        session.authenticated = true;
        return reply(current.short, proof);
      },
    };
    return session;
  };
}
