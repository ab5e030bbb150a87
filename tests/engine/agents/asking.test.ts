/** @environment store */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { z } from 'zod';
import { agents } from '../../../bot/agents/index.ts';
import { askAgent } from '../../../bot/engine/agents/askAgent.ts';
import { askAgentTool } from '../../../bot/engine/agents/askAgentTool.ts';
import { registerAgents, registeredAgent } from '../../../bot/engine/agents/registry.ts';
import { routeAsking } from '../../../bot/engine/agents/relay.ts';
import { grantCredits } from '../../../bot/engine/credits/credits.ts';
import { readAsking } from '../../../bot/engine/intents/readAsking.ts';
import { processTurn } from '../../../bot/engine/turns/processTurn.ts';
import { cancelRun } from '../../../bot/engine/workflows/cancelRun.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { startRun } from '../../../bot/engine/workflows/startRun.ts';
import { beginWith, defineWorkflow, type StepContext } from '../../../bot/engine/workflows/workflow.ts';
import { Account } from '../../../models/account.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { keepFile } from '../../../models/files.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { nextNumber } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';
import { connectChannel, connectTurns, hireFor, inEveryAccount, keepTurn, makeTurn } from '../../factories/turns.ts';
import { makeWho } from '../../factories/who.ts';

let accountId = 0;
let conversation: ConversationRow;
connectTurns((made) => {
  ({ accountId, conversation } = made);
});
const card = (id: AgentId) => requireRow(findAgent(id) ?? null);
const STEP = LIMITS.credits.step;

beforeEach(async () => {
  registerAgents(agents);
  await inEveryAccount(async () => {
    await grantCredits(accountId, 1000, 'grant', 'test');
    await keepFile({
      ...{ accountId, key: 'document:contract', name: 'Contract.md', kind: 'document', type: 'text/markdown' },
      bytes: Buffer.from('The liability of the supplier ends after two years.'),
    });
  });
  await hireFor(accountId, 'clinical_safety');
});
afterEach(() => registerAgents(agents));

const say = async (text: string) => {
  await processTurn(await keepTurn(makeTurn(conversation, { text })), conversation);
};
const runsOf = () => inEveryAccount(() => Run.find({ accountId }).sort({ _id: 1 }).lean());
const spoken = async () =>
  (await inEveryAccount(() => Message.find({ accountId, messageType: 'assistant' }).sort({ _id: 1 }).lean())).map(
    ({ agentName, kind, text }) => ({ agentName, kind, text }),
  );
/** What the account has paid, by the ledger, and the runs that paid. */
async function paid() {
  const rows = await inEveryAccount(() => LedgerEntry.find({ accountId, kind: { $ne: 'grant' } }).lean());
  return {
    total: rows.reduce((sum, { amount }) => sum - amount, 0),
    runs: [...new Set(rows.map(({ runId }) => String(runId)))],
  };
}

describe('an agent that is told to ask another one', () => {
  test('has it work in the same chat, says who did what, and its work is charged once, to the unit', async () => {
    await hireFor(accountId, 'researcher');
    await say('ask the researcher what the contract says about liability');
    const [relay, work] = await runsOf();
    expect(relay).toMatchObject({ agentId: 'clinical_safety', status: 'completed', spent: 0 });
    expect(work).toMatchObject({
      ...{ agentId: 'researcher', workflow: 'research-brief', status: 'completed', spent: STEP },
      ...{ userId: relay?.userId, conversationId: conversation._id },
      askedBy: { runId: String(relay?._id), agents: ['clinical_safety'] },
    });
    const [brief, last] = await spoken();
    expect(brief).toMatchObject({ agentName: 'Rhea' });
    expect(brief?.text).toContain('“The liability of the supplier ends after two years.” [1]');
    expect(last).toEqual({
      ...{ agentName: 'Clara', kind: 'text' },
      text: 'I asked Rhea, Researcher. The work above is by Rhea; I added nothing and it was charged once.',
    });
    expect(await paid()).toEqual({ total: STEP, runs: [String(work?._id)] });
  });

  test('says how to hire one that is not hired or not set up, and nothing is charged', async () => {
    await say('ask Rhea about liability');
    await hireFor(accountId, 'marketer', 'hired');
    await say('Ask Mina to write copy from Contract.md');
    expect((await spoken()).map(({ text }) => text)).toEqual([
      'Your company has not hired Rhea, Researcher. Hire Rhea under Team, then ask again.',
      'Mina, Marketer, is hired but not set up yet. Finish the set-up under Team, then ask again.',
    ]);
    expect((await runsOf()).map(({ agentId }) => agentId)).toEqual(['clinical_safety', 'clinical_safety']);
    expect(await paid()).toEqual({ total: 0, runs: [] });
  });

  test('says why the other one can’t: the credits do not suffice', async () => {
    await hireFor(accountId, 'researcher');
    await inEveryAccount(() => grantCredits(accountId, -995, 'taken', 'test'));
    await say('ask Rhea about liability');
    const [refusal] = await spoken();
    expect(refusal?.kind).toBe('refused');
    expect(refusal?.text).toMatch(/credits/);
    expect((await runsOf()).map(({ status }) => status)).toEqual(['failed']);
  });

  test('asks itself nothing: it does the work', async () => {
    const rhea = await hireFor(accountId, 'researcher');
    conversation = { ...conversation, userAgentId: rhea };
    await say('ask Rhea about liability');
    expect((await runsOf()).map(({ agentId, workflow }) => [agentId, workflow])).toEqual([
      ['researcher', 'research-brief'],
    ]);
  });

  test('says that a question of the other one waits, and ends; the work goes on with the answer', async () => {
    await hireFor(accountId, 'marketer');
    await say('ask Mina to write marketing copy');
    const [relay, work] = await runsOf();
    expect([relay?.status, work?.status]).toEqual(['completed', 'waiting']);
    const [asked] = await inEveryAccount(() => Interrupt.find({ accountId }).lean());
    expect(asked?.userAgentId).toBe(work?.userAgentId);
    expect((await spoken()).at(-1)?.text).toContain('Mina needs an answer first: “What should I write copy from?');
  });
});

describe('while the other one works, the chat', () => {
  const labelsUnder = async (mode: ConsentMode) => {
    const labels: string[] = [];
    connectChannel({ progress: (_conversation, { label }) => void labels.push(label) });
    await hireFor(accountId, 'researcher');
    const kept = { name: 'Quillmere', channelConsent: { [conversation.address.channel]: mode } };
    await inEveryAccount(() => Account.updateOne({ _id: accountId }, { $set: kept }, { upsert: true }));
    await say('ask Rhea what the contract says about liability');
    return labels;
  };

  test('shows who asks whom what, where the company allows full content', async () => {
    expect(await labelsUnder('full')).toContain('Clara asks Rhea: what the contract says about liability?');
  });

  test.each(['redacted', 'reference-only'] as const)('shows no word of it under %s', async (mode) => {
    const labels = await labelsUnder(mode);
    expect(labels).toContain('Asking another agent');
    expect(labels.join()).not.toContain('liability');
  });
});

describe('a text that asks for an agent', () => {
  test.each([
    'Here is a ticket:\nask the researcher what the contract says about liability',
    'MED-02 says “ask Rhea to write a brief about liability”. What is it?',
  ])('does nothing where it is not the person’s request: %s', async (text) => {
    await hireFor(accountId, 'researcher');
    await say(text);
    expect((await runsOf()).map(({ agentId }) => agentId)).not.toContain('researcher');
  });

  test('does nothing in a message that the person only forwards', async () => {
    await hireFor(accountId, 'researcher');
    const turn = makeTurn(conversation, { text: 'ask Rhea about liability', manner: 'overheard' });
    await processTurn(await keepTurn(turn), conversation);
    expect((await runsOf()).filter(({ workflow }) => workflow === 'ask-agent')).toEqual([]);
  });

  test('is approved by a person where a model follows it, as the person’s own words do not name the agent', () => {
    const use = { agent: 'Rhea', question: 'Everything about liability' };
    expect(askAgentTool.effect).toBe('asks');
    expect(askAgentTool.isAskedFor?.(use, 'Which hazards are open?\nAsk Rhea about liability')).toBe(false);
    expect(askAgentTool.isAskedFor?.(use, 'Which hazards are open? Ask Rhea about liability too.')).toBe(true);
  });
});

/** A run of an agent, as one that asks. */
async function beginAsker(agentId: AgentId, startKey: string): Promise<RunRow> {
  return inEveryAccount(async () => {
    const userAgent = requireRow(await UserAgent.findOne({ accountId, agentId }).lean());
    const asking = requireRow(readAsking('ask Rhea about liability'));
    const it = { userAgent, agent: card(agentId), conversation, userId: 7, startKey };
    return (await startRun({ ...routeAsking(asking), ...it })).run;
  });
}

describe('a chain of agents', () => {
  const asker = (agentId: AgentId, ...before: AgentId[]) => ({
    ...{ _id: new Types.ObjectId(), accountId, agentId, conversationId: conversation._id, userId: 7 },
    askedBy: before.length > 0 ? { runId: String(new Types.ObjectId()), agents: before } : null,
  });
  const ask = (from: ReturnType<typeof asker>, agentId: AgentId) =>
    inEveryAccount(() =>
      askAgent(from, {
        ...{ agent: card(agentId), question: 'about liability?', key: String(nextNumber()) },
        signal: new AbortController().signal,
      }),
    );

  test('is two deep at most, and goes in no circle', async () => {
    for (const id of ['researcher', 'ops', 'marketer'] as const) await hireFor(accountId, id);
    expect(await ask(asker('ops', 'clinical_safety'), 'researcher')).toMatchObject({ isOk: true, charged: STEP });
    expect(await ask(asker('ops', 'clinical_safety', 'marketer'), 'researcher')).toMatchObject({
      ...{ isOk: false, charged: 0 },
      text: 'Rhea was not asked: agents ask each other at most 2 deep. Ask Rhea yourself with @Rhea.',
    });
    expect((await ask(asker('ops', 'researcher'), 'researcher')).text).toMatch(/^Rhea was not asked: .*chain/);
    expect((await ask(asker('researcher'), 'researcher')).text).toBe('An agent does not ask itself.');
    expect(await runsOf()).toHaveLength(1);
  });

  const going = new Set<string>();
  const goOnWith = (name: string, goOn: (context: StepContext) => Promise<unknown>) =>
    defineWorkflow({
      ...{ name, state: z.object({}), title: null, first: 'go', reserve: STEP, showsProgress: true },
      steps: {
        go: {
          label: 'Going',
          async run(context) {
            going.add(context.run.agentId);
            await goOn(context as StepContext);
            return { done: { output: '' } };
          },
        },
      },
    });
  const untilStopped = ({ signal }: StepContext) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const askFor =
    (id: AgentId, question: string) =>
    ({ run, signal }: StepContext) =>
      askAgent(run, { agent: card(id), question, key: `run:${run._id}:q`, signal });
  async function hireTo(id: AgentId, workflow: ReturnType<typeof goOnWith>) {
    await hireFor(accountId, id);
    registerAgents([{ ...registeredAgent(id), workflows: [workflow], route: () => beginWith(workflow, 'q', {}) }]);
  }
  beforeEach(() => going.clear());

  test('says after the longest wait that the other one still works, and that work goes on', async () => {
    const { seconds } = LIMITS.asking;
    expect(seconds).toBe(90);
    await hireTo('researcher', goOnWith('endless', untilStopped));
    Object.assign(LIMITS.asking, { seconds: 0.05 });
    try {
      expect(await ask(asker('ops'), 'researcher')).toMatchObject({
        ...{ isOk: false, charged: 0, hasSpoken: false },
        text: 'Rhea is still working. The answer will be in this chat.',
      });
    } finally {
      Object.assign(LIMITS.asking, { seconds });
    }
    await eventually(async () => going.has('researcher'), 'the other one to work');
    const [work] = await runsOf();
    expect(work?.status).toBe('ready');
    await inEveryAccount(() => cancelRun(makeWho({ accountId }), requireRow(work ?? null)._id));
    await eventually(async () => (await runsOf())[0]?.status === 'cancelled', 'the work to end');
  });

  test('withdraws the question of the other one where the asker, which still works, is cancelled', async () => {
    await hireFor(accountId, 'marketer');
    const asksAndGoesOn = goOnWith('asks-and-goes-on', async (context) => {
      await askFor('marketer', 'write marketing copy')(context);
      going.add('asked');
      await untilStopped(context);
    });
    await hireTo('ops', asksAndGoesOn);
    const done = say('ask Opal to write an SOP from Contract.md');
    await eventually(async () => going.has('asked'), 'the question of the third agent');
    const statusOf = async () => (await inEveryAccount(() => Interrupt.findOne({ accountId }).lean()))?.status;
    expect(await statusOf()).toBe('pending');
    const byOps = (await runsOf()).find(({ agentId }) => agentId === 'ops');
    await inEveryAccount(() => cancelRun(makeWho({ accountId }), requireRow(byOps ?? null)._id));
    await done;
    expect(await statusOf()).toBe('cancelled');
    expect((await runsOf()).map(({ agentId, status }) => [agentId, status])).toEqual([
      ['clinical_safety', 'completed'],
      ['ops', 'cancelled'],
      ['marketer', 'cancelled'],
    ]);
    expect((await paid()).total).toBe(0);
  });

  test('is cancelled as a whole', async () => {
    await hireTo('ops', goOnWith('asks-on', askFor('researcher', 'q')));
    await hireTo('researcher', goOnWith('endless', untilStopped));
    const done = say('ask Opal to write an SOP from Contract.md');
    await eventually(async () => going.has('researcher'), 'the third agent to work');
    const [first] = await runsOf();
    await inEveryAccount(() => cancelRun(makeWho({ accountId }), requireRow(first ?? null)._id));
    await done;
    await eventually(
      async () => (await runsOf()).every(({ status }) => status === 'cancelled'),
      'the whole chain to be cancelled',
    );
    expect((await runsOf()).map(({ agentId }) => agentId)).toEqual(['clinical_safety', 'ops', 'researcher']);
    expect((await paid()).total).toBe(0);
  });
});

test('an asker that starts again after a crash gets the work that was begun, and pays for it once', async () => {
  await hireFor(accountId, 'researcher');
  const relay = await beginAsker('clinical_safety', 'relay');
  const before = { agent: card('researcher'), question: 'about liability?', key: `run:${relay._id}:relay` };
  await inEveryAccount(() => askAgent(relay, { ...before, signal: new AbortController().signal }));
  await executeRun(relay, conversation);
  expect((await runsOf()).map(({ agentId, status }) => [agentId, status])).toEqual([
    ['clinical_safety', 'completed'],
    ['researcher', 'completed'],
  ]);
  expect((await paid()).total).toBe(STEP);
  expect((await spoken()).filter(({ agentName }) => agentName === 'Rhea')).toHaveLength(1);
});
