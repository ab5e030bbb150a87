/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { registeredAgent } from '../../../bot/engine/agents/registry.ts';
import { agentCalled, chooseAgentFor, describeAccount } from '../../../bot/engine/turns/channelCommands.ts';
import { chooseAgent } from '../../../bot/engine/turns/chooseAgent.ts';
import { requireAgent } from '../../../bot/engine/turns/startWork.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';
import { hireFor, inEveryAccount, makePlace, openPlace } from '../../factories/turns.ts';

connectTestStore();
let accountId: number;
let who: Who;

beforeEach(() => {
  accountId = nextNumber();
  who = makeWho({ accountId, email: `ada${nextNumber()}@example.org` });
});

const open = (address = makePlace(), direct = false, account = accountId) => openPlace(account, address, direct);
const read = async ({ _id }: Pick<ConversationRow, '_id'>) =>
  requireRow(await inEveryAccount(() => Conversation.findById(_id).lean()));
const hire = (agentId: AgentId, status: UserAgentRow['status'] = 'onboarded', account = accountId) =>
  hireFor(account, agentId, status);
const refusal = (code: string) => expect.objectContaining({ code });

describe('the agent of a message', () => {
  test.each<[text: string, agent: AgentId]>([
    ['Is this safe?', 'clinical_safety'],
    ['@Devon is this safe?', 'developer'],
    ['Is this safe, @devon?', 'developer'],
    ['Devon, is this safe?', 'developer'],
    ['devon: is this safe?', 'developer'],
    ['Hi Devon, is this safe?', 'developer'],
    ['Hello devon: is this safe?', 'developer'],
    ['hey DEVON , is this safe?', 'developer'],
    ['Ask Devon, is this safe?', 'clinical_safety'],
    ['Devon is this safe?', 'clinical_safety'],
    ['mail me@devon is this safe?', 'clinical_safety'],
    ['@Mina is this safe?', 'clinical_safety'],
    ['@Rhea is this safe?', 'clinical_safety'],
  ])('%j: %s', async (text, agentId) => {
    const ids = new Map<AgentId, number>();
    for (const one of ['marketer', 'developer', 'clinical_safety'] as const)
      ids.set(one, await hire(one, one === 'marketer' ? 'hired' : 'onboarded'));
    const conversation = await open();
    expect(await inEveryAccount(() => chooseAgent(conversation, text))).toMatchObject({
      _id: ids.get(agentId),
      agentId,
    });
    expect((await read(conversation)).userAgentId).toBe(ids.get(agentId));
  });

  test('is one that works, before one in preparation, in any order', async () => {
    await hire('developer');
    const dara = await hire('designer');
    expect(AGENTS.map(({ id }) => id).indexOf('developer')).toBeLessThan(
      AGENTS.map(({ id }) => id).indexOf('designer'),
    );
    const choose = () => inEveryAccount(async () => chooseAgent(await open(), 'Is this safe?'));
    expect((await asInPreparation('developer', choose))._id).toBe(dara);
  });

  test('is the default one, before another working one that the catalogue lists first', async () => {
    const marta = await hire('mdr');
    const choose = () => inEveryAccount(async () => chooseAgent(await open(), 'Is this safe?'));
    expect((await choose())._id).toBe(marta);
    const clara = await hire('clinical_safety');
    expect(AGENTS.map(({ id }) => id).indexOf('mdr')).toBeLessThan(
      AGENTS.map(({ id }) => id).indexOf('clinical_safety'),
    );
    expect((await choose())._id).toBe(clara);
  });

  test('stays the same for a whole direct chat; by default it is the first of the catalogue', async () => {
    const [marta, marketer] = [await hire('mdr'), await hire('marketer')];
    const address = makePlace({ thread: 't' });
    const thread = await open(address, true);
    const chat = await open({ ...address, thread: null });
    const choose = (it: ConversationRow, text = 'go on') => inEveryAccount(() => chooseAgent(it, text));
    expect((await choose(thread))._id).toBe(marta);
    expect((await choose(thread, 'Mina, go on'))._id).toBe(marketer);
    expect([(await read(thread)).userAgentId, (await read(chat)).userAgentId]).toEqual([marketer, marketer]);
    expect((await choose(await read(thread)))._id).toBe(marketer);
    // The agent of another conversation does not matter.
    expect((await choose(await open()))._id).toBe(marta);
  });

  test('is the one that was given the task, whoever else is named or could do it', async () => {
    const [clara, dara, devon] = [await hire('clinical_safety'), await hire('designer'), await hire('developer')];
    const both = 'Do a sign-in page for our tickets';
    for (const agentId of ['clinical_safety', 'designer'] as const)
      expect(registeredAgent(agentId).asksFor?.(both)).toBe(true);
    const conversation = await open();
    const choose = (text: string, taskFor: number | null) =>
      inEveryAccount(async () => (await chooseAgent(await read(conversation), text, taskFor))._id);
    expect(await choose(both, dara)).toBe(dara);
    expect(await choose(both, clara)).toBe(clara);
    expect(await choose('Analyse my hazard log', dara)).toBe(dara);
    expect(await choose('Devon, design a screen', clara)).toBe(clara);
    expect(await choose('Go on', null)).toBe(clara);
    expect(await choose('Devon, design a screen', null)).toBe(devon);
    // A name sends one message, and the conversation stays with whom it was.
    expect(await choose('Go on', nextNumber())).toBe(clara);
  });

  test('is an onboarded agent of the account', async () => {
    await hire('clinical_safety', 'hired');
    await hire('developer', 'onboarded', nextNumber());
    const conversation = await open();
    await expect(inEveryAccount(() => chooseAgent(conversation, 'Devon, go on'))).rejects.toEqual(
      refusal('agent_not_ready'),
    );
  });

  test('is for a call the account’s hired agent, once it is onboarded', async () => {
    const [ready, hired] = [await hire('developer'), await hire('marketer', 'hired')];
    expect(await inEveryAccount(() => requireAgent(who, ready))).toMatchObject({ _id: ready });
    await expect(inEveryAccount(() => requireAgent(who, hired))).rejects.toEqual(refusal('agent_not_ready'));
    const stranger = { ...who, accountId: nextNumber() };
    await expect(inEveryAccount(() => requireAgent(stranger, ready))).rejects.toEqual(refusal('not_found'));
  });

  test.each([
    ['Clara', 'clinical_safety'],
    [' clara ', 'clinical_safety'],
    ['clinical_safety', 'clinical_safety'],
    ['DEVELOPER', 'developer'],
    ['Clar', undefined],
    ['', undefined],
  ])('is set by a command, %j: %s', (name, agentId) => {
    expect(agentCalled(name)?.id).toBe(agentId);
  });

  test('stays what a command set for that conversation, if that agent is onboarded', async () => {
    const address = makePlace();
    const [developer] = [await hire('developer'), await hire('marketer', 'hired')];
    await hire('ops', 'onboarded', nextNumber());
    const choose = (name: string) => inEveryAccount(() => chooseAgentFor(who, address, agentCalled(name)!));
    expect(await choose('mina')).toBe(false);
    expect(await choose('opal')).toBe(false);
    expect(await choose('devon')).toBe(true);
    expect((await open(address)).userAgentId).toBe(developer);
    const told = await inEveryAccount(() => describeAccount(who));
    expect(told.split('\n').slice(1)).toEqual(['• Devon, Full-stack developer: onboarded', '• Mina, Marketer: hired']);
    expect(told).toContain('Credits: 0.');
  });
});
