/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readEngineStatus } from '../../../bot/engine/accounts/engineStatus.ts';
import { hireAgent, onboardAgent, type ToolChoice } from '../../../bot/engine/accounts/hireAgent.ts';
import { agentsAllowed, describeAgentsAllowed } from '../../../models/contracts/billing.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { Conversation } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { Turn } from '../../../models/turn.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';
import { addUser, collectChanges, join } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
let who: Who;
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
async function subscribe(days: number): Promise<void> {
  const { accountId } = who;
  const row = { plan: 'trial', status: 'trial', trialEndsAt: inDays(days) };
  await inAccount(() => Subscription.updateOne({ _id: accountId, accountId }, { $set: row }, { upsert: true }));
  announce(accountId, ['account']);
  heard.length = 0;
}
beforeEach(async () => {
  who = makeWho();
  await subscribe(3);
});

const TOOLS = ['mdrtools', 'clinicaldata', 'riskmanagement', 'notion', 'googledocs', 'googledrive'];
const hire = (agentId: 'mdr' | 'outreach' = 'mdr', by = who) => inAccount(() => hireAgent(by, agentId));
const onboard = (choices: ToolChoice[], by = who) => inAccount(() => onboardAgent(by, 'mdr', choices));
const on = async (work: ReturnType<typeof onboard>) =>
  (await work).tools.filter(({ enabled }) => enabled).map(({ id }) => id);

describe('a hired agent', () => {
  test('has its own tools on and waits for onboarding', async () => {
    const agent = await hire();
    expect(agent).toMatchObject({
      accountId: who.accountId,
      userId: who.userId,
      agentId: 'mdr',
      status: 'hired',
      tools: TOOLS.map((id) => ({ id, enabled: true })),
      onboardedAt: null,
    });
    expect(Math.abs(agent.hiredAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(heard).toEqual([`${who.accountId} agents`]);
    expect((await hire('outreach')).tools).toEqual([]);
  });

  test('is unchanged by hiring it again, even after the trial has ended', async () => {
    const agent = await hire();
    await subscribe(-1);
    expect(await hire('mdr', { ...who, userId: nextNumber() })).toEqual(agent);
    expect(await codeOf(hire('outreach'))).toBe('trial_over');
    expect(heard).toEqual([]);
    expect(await inAccount(() => UserAgent.countDocuments({}))).toBe(1);
  });

  test('is one agent when hired twice at the same moment', async () => {
    const [one, other] = await Promise.all([hire(), hire()]);
    expect(one._id).toBe(other._id);
  });

  test('takes a place of the plan while it works for the company, where its work is there', async () => {
    const plan = (named: string) =>
      inAccount(() => Subscription.updateOne({ accountId: who.accountId }, { $set: { plan: named } }));
    const plans = [
      { id: 'starter', name: 'Starter', agents: 1 },
      { id: 'pro', name: 'Pro', agents: null },
    ];
    const within = (agentId: 'mdr' | 'designer' | 'outreach', by = who) =>
      runInAccount(by.accountId, () => hireAgent(by, agentId, plans));
    await asInPreparation('outreach', async () => {
      await plan('starter');
      await within('outreach');
      await within('mdr');
      expect((await within('mdr')).agentId).toBe('mdr');
      await expect(within('designer')).rejects.toMatchObject({
        code: 'plan_full',
        message: 'The agent limit of the plan Starter is 1. Let an agent go, or choose a larger plan under Billing.',
      });
      expect(await inAccount(() => UserAgent.countDocuments({}))).toBe(2);
      await inAccount(() => UserAgent.updateOne({ agentId: 'mdr' }, { $set: { status: 'let-go' } }));
      await within('designer');
      expect(await codeOf(within('mdr'))).toBe('plan_full');
      await plan('pro');
      expect(await codeOf(within('mdr'))).toBe('done');
    });
  });

  test('is any agent of the catalogue in the trial, those too that visitors see as Enterprise', async () => {
    for (const { id } of AGENTS) expect((await inAccount(() => hireAgent(who, id))).status).toBe('hired');
    expect(['trial', 'starter', 'pro', 'enterprise'].map((plan) => agentsAllowed(plan))).toEqual([null, 3, null, null]);
    expect(describeAgentsAllowed()).toBe(
      'The free trial, Pro and Enterprise allow any number of agents, Starter up to 3.',
    );
  });

  test('is one of at most three with the Starter plan, also when several are hired in one moment', async () => {
    await inAccount(() => Subscription.updateOne({ accountId: who.accountId }, { $set: { plan: 'starter' } }));
    const hired = () => inAccount(() => UserAgent.countDocuments({ ...HIRED }));
    const start = (ids: readonly AgentId[]) =>
      Promise.all(ids.map((agentId) => codeOf(inAccount(() => hireAgent(who, agentId)))));
    expect(await start(['clinical_safety', 'designer', 'mdr'])).toEqual(['done', 'done', 'done']);
    expect(await start(['ops'])).toEqual(['plan_full']);
    await inAccount(() => UserAgent.updateOne({ agentId: 'mdr' }, { $set: { status: 'let-go' } }));
    const [one, other] = await start(['ops', 'professionaliser']);
    expect([one, other]).toContain('plan_full');
    expect(await hired()).toBeLessThanOrEqual(3);
  });

  test('is hired by a member', async () => {
    expect(await codeOf(hire('mdr', { ...who, roles: [] }))).toBe('not_allowed');
    expect(await codeOf(hire('mdr', { ...who, roles: ['member'] }))).toBe('done');
  });
});

describe('an onboarded agent', () => {
  test('has exactly the chosen tools on', async () => {
    expect(await codeOf(onboard([]))).toBe('not_found');
    const { _id } = await hire();
    const other = makeWho();
    await runInAccount(other.accountId, () =>
      UserAgent.create({ _id: nextNumber(), accountId: other.accountId, userId: 1, agentId: 'mdr', status: 'hired' }),
    );
    heard.length = 0;
    const agent = await onboard([
      'notion',
      { id: 'clinicaldata', enabled: true },
      { id: 'googledocs', enabled: false },
    ]);
    expect(agent).toMatchObject({ _id, status: 'onboarded', onboardedAt: expect.any(Date) });
    expect(agent.tools.map(({ id }) => id)).toEqual(TOOLS);
    expect(agent.tools.filter(({ enabled }) => enabled).map(({ id }) => id)).toEqual(['clinicaldata', 'notion']);
    expect(heard).toEqual([`${who.accountId} agents,workspaces`]);
    const theirs = await runInAccount(other.accountId, () => UserAgent.findOne({}).lean());
    expect(theirs).toMatchObject({ status: 'hired', tools: [] });
  });

  test('changes its tools only for the owner, and keeps its first onboarding date', async () => {
    await hire('outreach');
    await hire();
    const member = { ...who, roles: ['member'] as const };
    const first = await onboard(['notion'], member);
    expect(await codeOf(onboard(['googledocs'], member))).toBe('not_allowed');
    expect(await on(onboard(['googledocs']))).toEqual(['googledocs']);
    expect((await onboard([])).onboardedAt).toEqual(first.onboardedAt);
    expect(await inAccount(() => UserAgent.findOne({ agentId: 'outreach' }).lean())).toMatchObject({ status: 'hired' });
  });

  test('keeps a tool that it had before', async () => {
    await hire();
    await inAccount(() => UserAgent.updateOne({}, { $set: { tools: [{ id: 'jira', enabled: true }] } }));
    expect((await onboard(['jira'])).tools.map(({ id }) => id)).toEqual([...TOOLS, 'jira']);
  });

  test.each([
    ['figma', 'This agent does not use Figma.'],
    ['nothing', 'There is no such tool.'],
  ])('takes no tool that is not its own: %s', async (id, tools) => {
    await hire();
    await expect(onboard(['notion', id])).rejects.toMatchObject({ code: 'bad_request', fields: { tools } });
    expect((await inAccount(() => UserAgent.findOne({}).lean()))?.status).toBe('hired');
  });
});

describe('the use of an account’s agents', () => {
  const NONE = {
    success: true,
    openaiConfigured: false,
    model: 'built-in engine',
    activeUsers: 0,
    totalInteractions: 0,
    totalUsers: 0,
    activeConversations: 0,
    error: null,
  };
  const read = () => inAccount(() => readEngineStatus(who.accountId));
  const converse = async () => {
    const row = { accountId: who.accountId, key: String(nextNumber()), address: {} };
    return (await inAccount(() => Conversation.create(row as never))) as unknown as { _id: Types.ObjectId };
  };
  const say = (conversationId: Types.ObjectId, userId: number, days = 0) =>
    inAccount(() =>
      Turn.create({
        _id: new Types.ObjectId(),
        accountId: who.accountId,
        channel: 'arc',
        eventId: String(nextNumber()),
        speaker: { userId },
        conversationId,
        createdAt: inDays(days),
      } as never),
    );

  test('names the model that words the answers, if there is one', async () => {
    const model = { name: 'azure:small', stream: () => Promise.reject(new Error('not asked')) };
    expect(await inAccount(() => readEngineStatus(who.accountId, model))).toEqual({
      ...NONE,
      openaiConfigured: true,
      model: 'azure:small',
    });
  });

  test('is counted over all time, and over the last thirty days for active agents', async () => {
    expect(await read()).toEqual(NONE);
    const [one, other] = [await converse(), await converse()];
    await converse();
    await say(one._id, 1);
    await say(one._id, 2, -29.9);
    await say(other._id, 2, -29.9);
    await say(other._id, 3, -30.1);
    for (let member = 0; member < 3; member += 1) await join(await addUser(), who.accountId);
    expect(await read()).toEqual({
      ...NONE,
      totalInteractions: 4,
      activeUsers: 2,
      totalUsers: 3,
      activeConversations: 2,
    });
    const here = who;
    who = makeWho();
    await say(new Types.ObjectId(), 1);
    // A turn whose conversation was deleted counts for no agent.
    expect(await read()).toEqual({ ...NONE, totalInteractions: 1, activeUsers: 1 });
    who = here;
  });
});
