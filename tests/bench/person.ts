import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import type { ChatMessage, MessageKind, RunProgress } from '../../models/contracts/chat.ts';
import type { ClientEvents, ServerEvents } from '../../models/contracts/realtime.ts';

export type BenchPerson = Awaited<ReturnType<typeof connectPerson>>;

const MOST_MS = 60_000;

/** What an event brings. A bench that waits for what never comes would hang without a word, so it ends with an error. */
function soon<T>(what: string, listen: (resolve: (value: T) => void, reject: (error: Error) => void) => void) {
  let timer: NodeJS.Timeout;
  return new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within a minute`)), MOST_MS);
    listen(resolve, reject);
  }).finally(() => clearTimeout(timer));
}

/** A person with an onboarded agent, arc-chat on and an open socket. */
export async function connectPerson(url: string, email: string) {
  let cookie = '';
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    cookie = /arc\.sid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? cookie;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await call('POST', '/api/auth/send-signup-confirmation', { email, password: 'correct-horse-1' });
  await call('POST', '/api/user-agents/hire', { agentId: 'clinical_safety' });
  await call('POST', '/api/user-agents/onboard', {
    agentId: 'clinical_safety',
    tools: ['hazardanalysis', 'clinicalsafety', 'riskmanagement'],
  });
  await call('POST', '/api/integrations/toggle', { integrationId: 'arc-chat', enabled: true });

  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    transports: ['websocket'],
    extraHeaders: { cookie },
    forceNew: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const heard = (kind: MessageKind) =>
    soon<ChatMessage>(kind, (resolve, reject) => {
      const listen = (message: ChatMessage) => {
        // A refusal must end the bench: nothing else would come.
        if (message.kind === 'refused') reject(new Error(message.message));
        if (message.messageType === 'user' || message.kind !== kind) return;
        socket.off('message', listen);
        resolve(message);
      };
      socket.on('message', listen);
    });
  const runEnded = () =>
    soon<void>('the end of the run', (resolve) => {
      const listen = ({ status }: RunProgress) => {
        if (status !== 'completed') return;
        socket.off('progress', listen);
        resolve();
      };
      socket.on('progress', listen);
    });
  const ask = async (
    message: string,
    send: (body: { message: string; clientId: string }) => Promise<unknown>,
    kind: MessageKind = 'text',
  ) => {
    const reply = heard(kind);
    await send({ message, clientId: randomUUID() });
    return reply;
  };
  return {
    /** The Cookie header of the session. */
    cookie: () => cookie,
    askByCall: (message: string) => ask(message, (body) => call('POST', '/api/arc-chat/send', body)),
    askBySocket: (message: string) =>
      ask(message, (body) => new Promise((resolve) => socket.emit('send', body, resolve))),
    /** Analyses the sample. @returns the review's id */
    async askForReview(): Promise<number> {
      await ask('Try it with a sample', (body) => call('POST', '/api/arc-chat/send', body), 'upload');
      const asked = await ask(
        'Analyse my hazard log',
        (body) => call('POST', '/api/arc-chat/send', body),
        'review-requested',
      );
      return asked.card?.interruptId ?? 0;
    },
    /**
     * Accepts every proposal and waits until the review is recorded.
     * @returns the id of the review of possible matches that follows
     */
    async answerReview(interruptId: number): Promise<{ recorded: Promise<unknown>; next: Promise<number> }> {
      const [recorded, asked] = [heard('review-complete'), heard('review-requested')];
      await call('PATCH', `/api/interrupts/${interruptId}/resolve`, { approved: true });
      return { recorded, next: asked.then(({ card }) => card?.interruptId ?? 0) };
    },
    /**
     * Says of every ticket that no hazard covers it, question by question, until the run ends.
     * @returns milliseconds from the last answer to the end
     */
    async answerMatches(first: number): Promise<number> {
      const ended = runEnded().then(() => null);
      for (let interruptId = first; ; ) {
        // After the last answer none comes.
        const asked = heard('review-requested').then(
          ({ card }) => card?.interruptId ?? 0,
          () => 0,
        );
        const begun = performance.now();
        await call('PATCH', `/api/interrupts/${interruptId}/resolve`, { approved: false });
        const next = await Promise.race([asked, ended]);
        if (next === null) return performance.now() - begun;
        interruptId = next;
      }
    },
    /** Begins a conversation. @returns its id */
    startConversation: async (): Promise<string> => (await call('POST', '/api/arc-chat/threads')).id,
    /** Says something in a conversation and waits for the answer there. */
    async askIn(conversation: string, message: string): Promise<ChatMessage> {
      const reply = soon<ChatMessage>('the answer', (resolve) => {
        const listen = (one: ChatMessage) => {
          if (one.conversation !== conversation || one.messageType === 'user') return;
          socket.off('message', listen);
          resolve(one);
        };
        socket.on('message', listen);
      });
      await call('POST', '/api/arc-chat/send', { message, conversation, clientId: randomUUID() });
      return reply;
    },
    /** Milliseconds on this process's clock when the first words of an answer arrive. */
    firstWords: () =>
      soon<number>('the first words', (resolve) => {
        const listen = ({ said }: RunProgress) => {
          if (!said) return;
          socket.off('progress', listen);
          resolve(performance.now());
        };
        socket.on('progress', listen);
      }),
    close: () => socket.close(),
  };
}
