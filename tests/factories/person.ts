import { randomUUID } from 'node:crypto';
import type supertest from 'supertest';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import type { Server } from './server.ts';

export type Person = {
  browser: ReturnType<typeof supertest.agent>;
  user: SessionUser;
  email: string;
  password: string;
  /** The Cookie header of the session, for sockets. */
  cookie: string;
};

/** Someone who has just signed up. Without a mail server the account is created at once. */
export async function signUp(
  server: Server,
  overrides: { email?: string; firstName?: string; lastName?: string } = {},
): Promise<Person> {
  const browser = server.browser();
  const email = overrides.email ?? `${randomUUID()}@example.org`;
  const password = 'correct-horse-1';
  const { firstName = 'Ada', lastName = 'Okafor' } = overrides;
  const made = await browser.post('/api/auth/send-signup-confirmation').send({ email, password, firstName, lastName });
  if (made.status !== 200) throw new Error(`sign-up: ${made.status} ${made.text}`);
  const cookie = /arc\.sid=[^;]+/.exec(String(made.headers['set-cookie']))?.[0] ?? '';
  const { body } = await browser.get('/api/auth/status');
  return { browser, user: body.user, email, password, cookie };
}

/** Someone with the clinical safety agent onboarded; arc-chat is on from the beginning. */
export async function signUpReady(server: Server): Promise<Person & { agent: UserAgent }> {
  const person = await signUp(server);
  await person.browser.post('/api/user-agents/hire').send({ agentId: 'clinical_safety' }).expect(200);
  const { body: agent } = await person.browser
    .post('/api/user-agents/onboard')
    .send({ agentId: 'clinical_safety', tools: ['clinicalsafety', 'hazardanalysis'] })
    .expect(200);
  return { ...person, agent };
}

/** Waits between two checks grow, because frequent checks slow down the work that is waited for. */
const MIN_WAIT_MS = 10;
const MAX_WAIT_MS = 100;
/** A read may take this long beyond the limit of what is waited for. */
const STALLED_MS = 5000;

/** Repeats a check until it holds. @throws after the given time */
export async function eventually<T>(
  read: () => Promise<T | null | undefined | false>,
  what: string,
  milliseconds = 40_000,
): Promise<T> {
  const until = Date.now() + milliseconds;
  for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
    const value = await within(until - Date.now(), read(), what);
    if (value) return value;
    if (Date.now() > until) throw new Error(`Did not happen in ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** A read that comes back, or an error once the time is over: a call that never ends is named instead of the test. */
async function within<T>(milliseconds: number, reading: Promise<T>, what: string): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    const stalled = new Error(`The read did not come back: ${what}`);
    late = setTimeout(reject, Math.max(milliseconds, 0) + STALLED_MS, stalled);
  });
  return Promise.race([reading, end]).finally(() => clearTimeout(late));
}

/** Waits for the newest message of a kind in the person's chat. */
export function messageOfKind(person: Person, kind: ChatMessage['kind'], milliseconds?: number): Promise<ChatMessage> {
  return eventually(
    async () => {
      const { body } = await person.browser.get('/api/arc-chat/history?limit=200').expect(200);
      return (body.messages as ChatMessage[]).find((message) => message.kind === kind);
    },
    `a message of kind ${kind}`,
    milliseconds,
  );
}
