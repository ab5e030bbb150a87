import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary, type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import type { Session } from '../commands/context.ts';
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

type Conversation = { first: string; server: string; nonce: string; short: boolean };

function begin(request: Doc, { salt }: Credentials): { conversation: Conversation; reply: Record<string, unknown> } {
  if (request.get('mechanism') !== 'SCRAM-SHA-256') throw failed();
  const message = payloadText(request.get('payload'));
  if (!message.startsWith('n,,')) throw failed();
  const first = message.slice(3);
  const given = attributes(first);
  if (given.get('n') !== USER || !given.get('r')) throw failed();
  const nonce = given.get('r')! + randomBytes(18).toString('base64');
  const server = `r=${nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
  const options = request.get('options');
  const short = isDoc(options) && truthy(options.get('skipEmptyExchange'));
  const reply = { conversationId: 1, done: false, payload: new Binary(Buffer.from(server)) };
  return { conversation: { first, server, nonce, short }, reply };
}

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

/** Makes sessions that must authenticate with SCRAM-SHA-256 before anything else. */
export function scramSession(password: string): (id: number) => Session {
  const credentials = credentialsOf(password);
  return (id) => {
    let conversation: Conversation | undefined;
    const start = (request: Doc) => {
      const begun = begin(request, credentials);
      conversation = begun.conversation;
      return begun.reply;
    };
    const session: Session = {
      id,
      authenticated: false,
      hello(request) {
        const extra: Record<string, unknown> = {};
        if (request.body.has('saslSupportedMechs')) extra.saslSupportedMechs = ['SCRAM-SHA-256'];
        const speculative = request.body.get('speculativeAuthenticate');
        if (isDoc(speculative)) {
          try {
            extra.speculativeAuthenticate = start(speculative);
          } catch {
            // Left out, a client that guessed wrong begins anew.
          }
        }
        return extra;
      },
      sasl(request) {
        if (request.name === 'saslStart') return start(request.body);
        if (session.authenticated) return { conversationId: 1, done: true, payload: new Binary(Buffer.alloc(0)) };
        if (!conversation) throw failed();
        const current = conversation;
        conversation = undefined;
        const payload = finish(payloadText(request.body.get('payload')), current, credentials);
        session.authenticated = true;
        return { conversationId: 1, done: current.short, payload: new Binary(Buffer.from(payload)) };
      },
    };
    return session;
  };
}
