import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { describeChannel } from './suite.ts';

let server: Server;

describeChannel('arc-chat', {
  async start() {
    server = await startServer();
  },
  stop: () => server.stop(),
  async connect() {
    const owner = await signUpReady(server);
    const history = async () =>
      (await owner.browser.get('/api/arc-chat/history?limit=200')).body.messages as ChatMessage[];
    const question = async (id: number) => (await owner.browser.get(`/api/interrupts/${id}`)).body as Interrupt;
    return {
      owner,
      via: 'arc-chat',
      async say(message, clientId) {
        await owner.browser.post('/api/arc-chat/send').send({ message, clientId }).expect(200);
      },
      async drop(fileName, bytes) {
        await owner.browser
          .post('/api/arc-chat/upload-hazard-log')
          .attach('hazardLogFile', Buffer.from(bytes), fileName);
      },
      // No page of arc-chat forwards another person's words yet; this is the function that one would call.
      async handOver(text) {
        const { acceptTurn } = await import('../../bot/engine/turns/acceptTurn.ts');
        const { arcAddress, openConversation } = await import('../../bot/engine/conversations/conversations.ts');
        const { runInAccount } = await import('../../models/store/context.ts');
        const { accountId, id: userId } = owner.user;
        await runInAccount(accountId, async () => {
          const conversation = await openConversation(accountId, arcAddress(userId));
          await acceptTurn(conversation, {
            channel: 'arc',
            address: conversation.address,
            speaker: { userId, platformId: null, name: 'Ada' },
            text,
            manner: 'handed-over',
            files: [],
            eventId: randomUUID(),
          });
        });
      },
      replies: async () =>
        (await history())
          .filter(({ messageType }) => messageType !== 'user')
          .map(({ message }) => message)
          .reverse(),
      // The page draws a question's buttons from its record, wherever its message is.
      offers: async (id) =>
        (await history()).some(({ card }) => card?.interruptId === id) && (await question(id)).status === 'pending',
      closed: async (id) => (await question(id)).resolution?.text ?? null,
      async answer(_id, approved) {
        await owner.browser
          .post('/api/arc-chat/send')
          .send({ message: approved ? 'accept all' : 'reject all' })
          .expect(200);
      },
    };
  },
});
