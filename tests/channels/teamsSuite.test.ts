/** @environment teams */
import { teams } from '../environments/teams.ts';
import { type Server, startServer } from '../factories/server.ts';
import { connectOrganisation, postsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { describeChannel } from './suite.ts';

let server: Server;

describeChannel('Teams', {
  async start() {
    server = await startServer();
  },
  stop: () => server.stop(),
  async connect() {
    const { tenant, owner, personal, sender } = await connectOrganisation(teams, server);
    const cardOf = (id: number) =>
      postsOf(tenant).find(({ card }) => JSON.stringify(card ?? {}).includes(`interrupt=${id}"`));
    const answers = (card: unknown) => verbsOf(card).filter((verb) => verb !== 'refresh');
    return {
      owner,
      via: 'teams',
      async say(text, eventId) {
        await sender.message(personal, text, eventId ? { id: `${tenant.id}-${eventId}` } : {});
      },
      async drop(name, bytes) {
        await sender.drop(personal, name, bytes);
      },
      async dropWith(text, name, bytes) {
        await sender.drop(personal, name, bytes, text);
      },
      async handOver(text) {
        const messagePayload = { body: { contentType: 'html', content: `<p>${text}</p>` } };
        const value = { commandId: 'sendToAgent', commandContext: 'message', data: { text: '' }, messagePayload };
        await sender.invoke(personal, 'composeExtension/submitAction', value);
      },
      replies: async () => postsOf(tenant).map(wordsOf),
      async offers(id) {
        const post = cardOf(id);
        return post !== undefined && answers(await sender.view(personal, post)).length > 0;
      },
      async closed(id) {
        const post = cardOf(id);
        return post && answers(post.card).length === 0 ? wordsOf(post) : null;
      },
      async answer(interruptId, approved) {
        const data = { interruptId, ...(approved ? {} : { field_reason: 'Not ours' }) };
        await sender.execute(personal, approved ? 'approve' : 'reject', data, cardOf(interruptId)?.id);
      },
    };
  },
});
