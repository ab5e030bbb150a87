/** @environment teams */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import {
  ask,
  installIn,
  interruptIdOf,
  postWith,
  startTeamsServer,
  type TeamsServer,
} from '../factories/teamsServer.ts';
import { type Organisation, verbsOf } from '../fakes/teams/organisation.ts';
import { makeSender } from '../fakes/teams/sender.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterEach(() => it.teams.recover());
afterAll(() => it.stop());

/** Posts in the owner's chat, without those still on their way from other tests. */
const postsTo = ({ personal }: Organisation) => new RegExp(`POST .*${personal.conversation.id}/activities`);
const LONG = Array.from({ length: 60 }, (_, index) => `Line ${index} of a long answer.`).join('\n');
const inAccount = async <T>({ owner }: Organisation, work: () => Promise<T>) =>
  (await import('../../models/store/context.ts')).runInAccount(owner.user.accountId, work);

/** Conversations that Arc considers ended. */
const endedOf = (organisation: Organisation) =>
  inAccount(organisation, async () => {
    const { ChannelReference } = await import('../../models/channelReference.ts');
    const rows = await ChannelReference.find({ accountId: organisation.owner.user.accountId }).lean();
    return rows.filter(({ endedAt }) => endedAt !== null).map(({ conversationId }) => conversationId);
  });

const statesOf = (organisation: Organisation) =>
  inAccount(organisation, async () => {
    const { Delivery } = await import('../../models/delivery.ts');
    return (await Delivery.find({ surface: 'teams' }).lean()).map(({ status }) => status as string);
  });

/** The states of the deliveries, once none is open. */
const settled = (organisation: Organisation) =>
  eventually(async () => {
    const states = await statesOf(organisation);
    return states.length > 0 && states.every((status) => !['due', 'closing'].includes(status)) ? states : null;
  }, 'deliveries that are settled');

async function sayTo(organisation: Organisation, text: string, where = organisation.personal): Promise<void> {
  const { addressOf, installationKeyOf, placeOfConversation } = await import(
    '../../bot/channels/teams/platform/address.ts'
  );
  const { openConversation } = await import('../../bot/engine/conversations/conversations.ts');
  const { say } = await import('../../bot/engine/delivery/say.ts');
  const { tenant, owner } = organisation;
  const place = placeOfConversation(installationKeyOf(tenant.appId, tenant.id), where.conversation.id);
  await inAccount(organisation, async () => {
    const conversation = await openConversation(owner.user.accountId, addressOf(place));
    await say(conversation, { key: text.slice(0, 20), kind: 'text', text });
  });
}

describe('a stream that Teams refuses', () => {
  test('at its first update is sent at once, and the conversation continues', async () => {
    const organisation = await it.connect();
    organisation.tenant.streams = false;
    await sayTo(organisation, LONG);
    const post = await postWith(organisation, /Line 59 of/);
    expect(post.activity.entities).toBeUndefined();
    expect(await settled(organisation)).toEqual(['sent']);
    expect(await endedOf(organisation)).toEqual([]);
  });

  test('because its reader pressed Stop is finished: nothing is repeated, and the conversation continues', async () => {
    const organisation = await it.connect();
    const { tenant } = organisation;
    tenant.endStreams = { after: 1, words: 'Content stream was canceled by user.' };
    await sayTo(organisation, LONG);
    expect(await settled(organisation)).toEqual(['sent']);
    expect(tenant.posts.size).toBe(0);
    expect(await endedOf(organisation)).toEqual([]);
    await sayTo(organisation, 'Later words');
    await postWith(organisation, /Later words/);
  });

  test('because it took too long is sent as a whole, so that no word is lost', async () => {
    const organisation = await it.connect();
    organisation.tenant.endStreams = { after: 1, words: 'Content stream finished due to exceeded streaming time.' };
    await sayTo(organisation, LONG);
    await postWith(organisation, /Line 59 of/);
    expect(await endedOf(organisation)).toEqual([]);
  });
});

describe('an interrupted stream', () => {
  const streamsOf = ({ tenant }: Organisation) =>
    new Set(tenant.typing.flatMap(({ entities }) => entities.map((it) => (it as { streamId: string }).streamId)));
  const shown = ({ tenant }: Organisation) => tenant.typing.filter(({ text }) => text !== '').length;

  test('is completed by the message itself: no second stream is started, and the words arrive once', async () => {
    const organisation = await it.connect();
    const { tenant } = organisation;
    await sayTo(organisation, LONG);
    await eventually(async () => shown(organisation) === 1, 'the first update');
    it.teams.fail(postsTo(organisation), 503, 1);
    await eventually(async () => {
      await sweepNow();
      return tenant.posts.size > 0;
    }, 'the message');
    const [post] = [...tenant.posts.values()];
    expect(post?.text).toMatch(/^[\s\S]*Line 0 of[\s\S]*Line 59 of a long answer\.$/);
    expect(post?.activity.entities).toEqual([{ type: 'streaminfo', streamType: 'final', streamId: post?.id }]);
    expect([...streamsOf(organisation)]).toEqual([post?.id]);
    expect(await settled(organisation)).toEqual(['sent']);
    expect(tenant.posts.size).toBe(1);
  });

  test('in several parts continues after the failed part, without repeating earlier ones', async () => {
    const organisation = await it.connect();
    const { tenant } = organisation;
    // Too much for one message, in a chat where nothing is streamed.
    const place = await installIn(organisation, 'groupChat');
    it.teams.failSecond(new RegExp(`POST .*${place.conversation.id}/activities`), 503);
    await sayTo(organisation, Array.from({ length: 1500 }, (_, index) => `• Part ${index} of it`).join('\n'), place);
    await eventually(async () => {
      await sweepNow();
      return (await statesOf(organisation)).includes('sent');
    }, 'the delivery to be done');
    const texts = [...tenant.posts.values()].map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(1);
    for (const index of [0, 700, 1499])
      expect(texts.filter((text) => text.includes(`Part ${index} of it`))).toHaveLength(1);
  });

  test('whose final answer was lost is not sent again', async () => {
    const organisation = await it.connect();
    const { tenant } = organisation;
    await sayTo(organisation, LONG);
    await eventually(async () => shown(organisation) === 3, 'the last update');
    it.teams.loseAnswer(postsTo(organisation));
    await eventually(async () => tenant.posts.size > 0, 'the message');
    await eventually(async () => {
      await sweepNow();
      return (await statesOf(organisation)).includes('sent');
    }, 'the delivery to be done');
    expect(tenant.posts.size).toBe(1);
    expect(streamsOf(organisation).size).toBe(1);
  });
});

describe('a message', () => {
  test.each(['constructor injection is unsafe', '__proto__ in our log', 'valueOf help'])(
    'is words for the agent: “%s”',
    async (words) => {
      const organisation = await it.connect();
      expect((await organisation.sender.message(organisation.personal, words)).status).toBe(200);
      await postWith(organisation, /Clara/);
    },
  );

  test.each([403, 429, 503])('is kept if the roster answers %d to a command', async (status) => {
    const other = await it.connect();
    it.teams.fail(/GET .*members/, status, 1);
    expect((await other.sender.message(other.personal, 'status')).status).toBe(200);
    const turns = await inAccount(other, async () => {
      const { Turn } = await import('../../models/turn.ts');
      return Turn.find({ accountId: other.owner.user.accountId }).lean();
    });
    expect(turns.map(({ text }) => text)).toEqual(['status']);
  });

  test('to an organisation that is not connected is acknowledged while Teams is slow, and kept', async () => {
    const { own, teams, server } = it;
    const user = addUser(own, 'Ada', 'ada@example.org');
    const place = { tenant: own, user, conversation: addConversation(own, 'personal', [user]) };
    // At least once: deliveries still on their way from other tests may ask, too.
    teams.fail(/GET .*members/, 429, 20);
    expect((await makeSender(teams, () => server.url).message(place, 'help')).status).toBe(200);
    const { UnconnectedCall } = await import('../../models/unconnectedCall.ts');
    await eventually(() => UnconnectedCall.findOne({ status: 'due', attempts: { $gte: 1 } }).lean(), 'a first try');
  });

  test('is parsed quickly, in whatever way it is written', async () => {
    const { wordsOf } = await import('../../bot/channels/teams/talk/inbound.ts');
    const read = (text: string, entities: object[] = []) =>
      wordsOf({ text, entities, recipient: { id: '28:x' } } as never);
    const begun = performance.now();
    for (const text of ['<at'.repeat(100_000), '<at>'.repeat(80_000)]) read(text);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(read('hello there', [{ type: 'mention', text: '', mentioned: { id: '28:x' } }])).toBe('hello there');
  });
});

describe('a conversation', () => {
  test.each([
    [403, 'BotNotInConversationRoster'],
    [403, 'MessageWritesBlocked'],
    [403, 'ConversationBlockedByUser'],
    [404, 'ConversationNotFound'],
  ])('ends if Teams answers %d %s to a message', async (status, code) => {
    const organisation = await it.connect();
    it.teams.fail(postsTo(organisation), status, 1, undefined, code);
    await sayTo(organisation, 'Hello');
    expect(await settled(organisation)).toEqual(['failed']);
    expect(await endedOf(organisation)).toEqual([organisation.personal.conversation.id]);
  });

  test('does not end with other refusals', async () => {
    const organisation = await it.connect();
    it.teams.fail(postsTo(organisation), 403, 1, undefined, 'Forbidden');
    await sayTo(organisation, 'Hello');
    expect(await settled(organisation)).toEqual(['failed']);
    expect(await endedOf(organisation)).toEqual([]);
  });

  test('does not end with a card that somebody deleted: closing it counts as done', async () => {
    const organisation = await it.connect();
    const post = await ask(organisation, { interruptType: 'approval', prompt: 'May I close?' });
    organisation.tenant.posts.delete(post.id);
    const path = `/api/interrupts/${interruptIdOf(post)}/resolve`;
    await organisation.owner.browser.patch(path).send({ approved: true }).expect(200);
    await postWith(organisation, /You said/);
    expect(await settled(organisation)).toContain('closed');
    expect(await endedOf(organisation)).toEqual([]);
  });

  test('shows non-members the state of its questions without buttons, and only its own questions', async () => {
    const organisation = await it.connect();
    const { sender, tenant } = organisation;
    const stranger = addUser(tenant, 'Bo', 'bo@example.org');
    const place = await installIn(organisation, 'groupChat', [stranger]);
    const elsewhere = await ask(organisation, { interruptType: 'approval', prompt: 'May I whisper?' });
    const post = await ask(organisation, { interruptType: 'approval', prompt: 'May I show?' }, place);
    const refresh = async (interruptId: number) => {
      const action = { type: 'Action.Execute', verb: 'refresh', data: { interruptId } };
      const value = { action, trigger: 'automatic' };
      const { body } = await sender.invoke({ ...place, user: stranger }, 'adaptiveCard/action', value);
      return body as { type: string; value: unknown } | null;
    };
    const own = await refresh(interruptIdOf(post));
    expect(own?.type).toBe('application/vnd.microsoft.card.adaptive');
    expect(JSON.stringify(own)).toContain('May I show?');
    expect(verbsOf(own?.value)).toEqual([]);
    const other = await refresh(interruptIdOf(elsewhere));
    expect(other?.type).toBe('application/vnd.microsoft.activity.message');
    expect(JSON.stringify(other)).not.toContain('whisper');
  });

  test('does not end with one of its threads', async () => {
    const organisation = await it.connect();
    const place = await installIn(organisation, 'channel');
    it.teams.fail(/POST .*;messageid=.*activities/, 404, 1, undefined, 'ConversationNotFound');
    await organisation.sender.message(place, 'help');
    expect(await settled(organisation)).toEqual(['failed']);
    expect(await endedOf(organisation)).toEqual([]);
    await organisation.sender.message(place, 'help');
    await postWith(organisation, /I never set a severity/, place.conversation);
  });

  test.each([403, 404, 429])('whose roster answers %d is asked all the same', async (status) => {
    const organisation = await it.connect();
    const place = await installIn(organisation, 'groupChat');
    it.teams.fail(/pagedmembers/, status, 5);
    const post = await ask(organisation, { interruptType: 'approval', prompt: 'May I ask?' }, place);
    expect(post.conversationId).toBe(place.conversation.id);
    expect(await endedOf(organisation)).toEqual([]);
  });
});
