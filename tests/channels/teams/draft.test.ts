/** @environment teams */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { refreshReference } from '../../../bot/channels/teams/install/references.ts';
import { addressOf, placeOfConversation } from '../../../bot/channels/teams/platform/address.ts';
import { teamsChannel } from '../../../bot/channels/teams/talk/outbound.ts';
import { conversationKey } from '../../../bot/engine/conversations/conversations.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { teams } from '../../environments/teams.ts';
import { addMember } from '../../factories/members.ts';
import { makeMessage } from '../../factories/message.ts';
import { keepRun, readRun } from '../../factories/runs.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { addConversation } from '../../factories/stepContext.ts';
import { connectOrganisation, makeActivity } from '../../factories/teamsPlace.ts';
import { nextNumber } from '../../factories/who.ts';
import { postsOf } from '../../fakes/teams/organisation.ts';
import { addConversation as addPlace, addUser } from '../../fakes/teams/server.ts';
import type { Conversation, TeamsUser, Tenant } from '../../fakes/teams/tenant.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

let tenant: Tenant;
let made: Awaited<ReturnType<typeof connectOrganisation>>;
let owner: Who;
let ada: TeamsUser;
/** Added to the clock, so that updates are a second apart. */
let later = 0;
beforeEach(async () => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
  tenant = teams.addTenant();
  made = await connectOrganisation(nextNumber(), tenant);
  owner = await addMember({ accountId: made.accountId });
  ada = addUser(tenant, 'Ada in Teams', owner.email);
});
afterEach(() => {
  jest.restoreAllMocks();
  teams.recover();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(made.accountId, work);

async function converse(type: Conversation['type'] = 'personal') {
  const place = addPlace(tenant, type, [ada]);
  const activity = makeActivity({
    serviceUrl: teams.serviceUrl,
    from: { id: ada.id, aadObjectId: ada.aadObjectId },
    conversation: { id: place.id, conversationType: type },
  });
  return inAccount(async () => {
    await refreshReference(await made.find(), activity);
    const address = addressOf(placeOfConversation(made.key, place.id));
    return addConversation(made.accountId, { address, key: conversationKey(address) });
  });
}

type Reference = Record<string, unknown> | null;
/** Shows one state after the other, each a second after the one before. @returns what the last one returned and kept */
async function show(conversation: ConversationRow, states: [steps: string[], text: string][], begun: Reference = null) {
  let reference = begun;
  let kept = begun;
  for (const [steps, text] of states) {
    later += 1000;
    const draft = { steps, text, agentId: 'clinical_safety', agentName: 'Clara' };
    const keep = async (come: Record<string, unknown>) => {
      kept = come;
    };
    reference = await inAccount(async () =>
      (teamsChannel.showDraft as NonNullable<typeof teamsChannel.showDraft>)(conversation, draft, { reference, keep }),
    );
  }
  return { reference, kept };
}
const complete = (conversation: ConversationRow, reference: Reference, change: Partial<MessageRow> = {}) =>
  inAccount(() =>
    teamsChannel.say(conversation, makeMessage(made.accountId, change), { reference, keep: async () => undefined }),
  );
const infos = () => tenant.typing.flatMap(({ entities, text }) => entities.map((it) => ({ ...(it as object), text })));
const NAME = '**Clara, Clinical safety officer**\n\n';

describe('an answer that is written, in a personal chat', () => {
  test('shows its steps, then its text as it grows, and is completed as one message', async () => {
    const conversation = await converse();
    const { reference } = await show(conversation, [
      [['Thinking'], ''],
      [['Looking', 'Reading'], ''],
      [['Writing'], 'One.'],
      [[], 'One. Two & three.'],
    ]);
    expect(infos()).toMatchObject([
      { streamType: 'informative', streamSequence: 1, text: 'Thinking' },
      { streamType: 'informative', streamSequence: 2, text: 'Reading' },
      { streamType: 'streaming', streamSequence: 3, text: `${NAME}One.` },
      { streamType: 'streaming', streamSequence: 4, text: `${NAME}One. Two &amp; three.` },
    ]);
    later += 1000;
    const sent = await complete(conversation, reference, { text: 'One. Two & three.\n\nFour.' });
    const [post, ...more] = postsOf(tenant);
    expect(more).toEqual([]);
    expect(post).toMatchObject({ text: `${NAME}One. Two &amp; three.\n\n\n\nFour.`, updates: 0 });
    expect(sent).toEqual({ ids: [post?.id] });
  });

  test('shows no step once there is text, and nothing twice', async () => {
    const conversation = await converse();
    await show(conversation, [
      [['Writing'], 'One.'],
      [['Looking'], 'One.'],
      [[], 'One.'],
    ]);
    expect(infos()).toHaveLength(1);
  });

  test.each([
    ['begins otherwise', { text: 'Another answer.' }, `${NAME}Another answer.`],
    [
      'may not say what was shown',
      { text: 'One. Two.', derived: { redacted: 'Redacted.', reference: 'A reference.' } },
      `${NAME}A reference.`,
    ],
  ])('is replaced by a message that %s', async (_how, change, text) => {
    const conversation = await converse();
    const { reference } = await show(conversation, [[['Writing'], 'One.']]);
    later += 1000;
    await complete(conversation, reference, change);
    expect(postsOf(tenant)).toMatchObject([{ text, updates: 1 }]);
  });

  test('is completed by another process, also where the last update is not known to have arrived', async () => {
    const conversation = await converse();
    await show(conversation, [[['Thinking'], '']]);
    const { reference } = await show(conversation, [[['Writing'], 'One.']]);
    teams.fail(/POST .*activities/, 503, 1);
    const failed: { kept: Reference } = { kept: null };
    later += 1000;
    const keep = async (come: Record<string, unknown>) => {
      failed.kept = come;
    };
    const draft = { steps: [], text: 'One. Two.', agentId: 'clinical_safety', agentName: 'Clara' };
    await expect(
      inAccount(async () => teamsChannel.showDraft?.(conversation, draft, { reference, keep })),
    ).rejects.toThrow();
    const next = await show(conversation, [[['Writing'], 'One. Two. Three.']], failed.kept);
    later += 1000;
    await complete(conversation, next.reference, { text: 'One. Two. Three. Four.' });
    expect(postsOf(tenant)).toMatchObject([{ text: `${NAME}One. Two. Three. Four.` }]);
  });

  test('is sent once as a whole where its stream took too long, and stays as it was where its reader stopped it', async () => {
    const conversation = await converse();
    const { reference } = await show(conversation, [[['Writing'], 'One.']]);
    tenant.endStreams = { after: 1, words: 'Content stream finished due to exceeded streaming time.' };
    later += 1000;
    await complete(conversation, reference, { text: 'One. Two.' });
    expect(postsOf(tenant).map(({ text }) => text)).toEqual([`${NAME}One. Two.`]);
    tenant.endStreams = { after: 1, words: 'Content stream was canceled by user.' };
    await complete(conversation, reference, { text: 'One. Two.' });
    expect(postsOf(tenant)).toHaveLength(1);
  });

  test('cancels its run where the reader presses Stop and may cancel it', async () => {
    const conversation = await converse();
    const at = { accountId: made.accountId, conversationId: conversation._id };
    const run = await keepRun({ ...at, userId: owner.userId });
    const elsewhere = await keepRun({ accountId: made.accountId, userId: owner.userId });
    const { reference } = await show(conversation, [[['Thinking'], '']]);
    tenant.endStreams = { after: 1, words: 'Content stream was canceled by user.' };
    await expect(show(conversation, [[['Writing'], 'One.']], reference)).rejects.toThrow();
    expect((await readRun(run)).cancelRequested).toBe(true);
    expect((await readRun(elsewhere)).cancelRequested).toBe(false);
  });

  test('ends before a question, with what was read or with a word on the question', async () => {
    const end = async (states: [string[], string][]) => {
      const conversation = await converse();
      const { reference } = await show(conversation, states);
      later += 1000;
      await inAccount(async () => teamsChannel.endDraft?.(conversation, reference as Record<string, unknown>));
      return postsOf(tenant).at(-1)?.text;
    };
    expect(await end([[['Thinking'], '']])).toBe('I have a question before I go on.');
    expect(await end([[['Writing'], 'One.']])).toBe(`${NAME}One.`);
  });

  test('is not streamed elsewhere', async () => {
    const conversation = await converse('groupChat');
    await expect(show(conversation, [[['Thinking'], 'One.']])).rejects.toThrow('personal chats alone');
    expect(infos()).toEqual([]);
  });
});

describe('a message that a model wrote', () => {
  const source = (number: number, more: object = {}) => ({ number, labels: [`Sheet ${number}`], path: null, ...more });
  const labelOf = (post = postsOf(tenant).at(-1)) =>
    (post?.activity.entities as { type: string; citation?: object[] }[] | undefined)?.find(
      ({ type }) => type === 'https://schema.org/Message',
    );
  const say = async (change: Partial<MessageRow>) => {
    await complete(await converse(), null, change);
    return labelOf();
  };

  test('is labelled as generated, and its numbers open its sources', async () => {
    const url = `${baseUrl()}/clinical-safety?hazard=V-12`;
    const label = await say({
      text: 'One [1]. Two [2].',
      generated: {
        sources: [source(1, { labels: ['V-12', 'V-13'], path: '/clinical-safety?hazard=V-12' }), source(2)],
      },
    });
    expect(label).toEqual({
      type: 'https://schema.org/Message',
      '@type': 'Message',
      '@context': 'https://schema.org',
      '@id': '',
      additionalType: ['AIGeneratedContent'],
      citation: [
        {
          '@type': 'Claim',
          position: 1,
          appearance: { '@type': 'DigitalDocument', name: 'V-12', abstract: 'V-12; V-13', url },
        },
        {
          '@type': 'Claim',
          position: 2,
          appearance: { '@type': 'DigitalDocument', name: 'Sheet 2', abstract: 'Sheet 2' },
        },
      ],
    });
  });

  test('keeps within what Teams takes: 20 citations, titles of 80 characters, abstracts of 160', async () => {
    const sources = Array.from({ length: 21 }, (_, at) =>
      source(at + 1, { labels: ['ab '.repeat(28).trim(), 'b'.repeat(160)] }),
    );
    const label = await say({ text: 'All [1].', generated: { sources } });
    expect(label?.citation).toHaveLength(20);
    const [first] = (label?.citation ?? []) as { appearance: { name: string; abstract: string } }[];
    expect(first?.appearance.name).toBe(`${'ab '.repeat(26).trim()}…`);
    expect(first?.appearance.abstract.length).toBeLessThanOrEqual(160);
  });

  test('is not labelled, and names no source, where consent replaces its text', async () => {
    const derived = { redacted: 'Redacted.', reference: 'A reference.' };
    expect(await say({ text: 'V-12 [1].', derived, generated: { sources: [source(1)] } })).toBeUndefined();
    expect(JSON.stringify(postsOf(tenant))).not.toContain('Sheet 1');
    expect(await say({ text: 'By the built-in engine.' })).toBeUndefined();
  });
});
