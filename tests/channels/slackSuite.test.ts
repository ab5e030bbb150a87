/** @environment slack */
import { randomUUID } from 'node:crypto';
import { slack } from '../environments/slack.ts';
import { signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { nextTs } from '../fakes/slack/methods.ts';
import { makeSender, type SlackSender } from '../fakes/slack/sender.ts';
import { describeChannel } from './suite.ts';

let server: Server;
let sender: SlackSender;
let count = 0;

describeChannel('Slack', {
  async start() {
    server = await startServer();
    sender = makeSender(
      () => server.url,
      () => `${slack.url}/response`,
    );
  },
  stop: () => server.stop(),
  async connect() {
    count += 1;
    const workspace = slack.addWorkspace(`TS${count}`);
    const { User } = await import('../../models/user.ts');
    const owner = await signUpReady(server);
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
    await owner.browser.put('/api/preferences').send({ channelConsent: { slack: 'full', teams: 'reference-only' } });
    workspace.users.set('U1', { id: 'U1', email: owner.email, name: 'Ada' });

    const posted = () => [...workspace.messages.values()];
    const isQuestion = (id: number, text: string) =>
      text.includes(`"interrupt:${id}"`) || text.includes(`interrupt=${id}|`);
    const messageOf = (id: number) => posted().find(({ blocks }) => isQuestion(id, JSON.stringify(blocks)));
    let last = '';
    const events = new Map<string, string>();
    const tsOf = (eventId: string = randomUUID()) => {
      const ts = events.get(eventId) ?? nextTs();
      events.set(eventId, ts);
      return ts;
    };
    const dropWith = async (text: string, name: string, bytes: Uint8Array) => {
      const id = `F${workspace.files.size}`;
      workspace.files.set(id, { id, name, bytes: Buffer.from(bytes) });
      await sender.message(workspace, 'U1', 'D1', text, { subtype: 'file_share', files: [{ id, name }] });
    };
    return {
      owner,
      via: 'slack',
      async say(text, eventId) {
        last = tsOf(eventId);
        await sender.message(workspace, 'U1', 'D1', text, { ts: last });
      },
      async goOn(text) {
        await sender.message(workspace, 'U1', 'D1', text, { ts: nextTs(), thread_ts: last });
      },
      async drop(name, bytes) {
        await dropWith('', name, bytes);
      },
      dropWith,
      async handOver(text) {
        await sender.shortcut(workspace, 'U1', 'D1', { type: 'message', ts: nextTs(), user: 'U2', text });
      },
      replies: async () => posted().map(({ text }) => text),
      offers: async (id) => JSON.stringify(messageOf(id)?.blocks ?? []).includes('"type":"button"'),
      async closed(id) {
        const message = messageOf(id);
        return message && !JSON.stringify(message.blocks).includes('"type":"button"') ? message.text : null;
      },
      async answer(id, approved) {
        const where = { channel: 'D1', ts: messageOf(id)?.ts ?? '' };
        if (approved) return void (await sender.click(workspace, 'U1', 'answer:approve', String(id), where));
        await sender.click(workspace, 'U1', 'answer:reject', String(id), where);
        const modal = workspace.views.at(-1);
        if (modal) await sender.submit(workspace, 'U1', modal, { reason: { text: { value: 'Not ours' } } });
      },
    };
  },
});
