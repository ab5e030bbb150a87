/** @environment store */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Agent, AgentFiles } from '../../../bot/engine/agents/agent.ts';
import { findDownload, readDownload } from '../../../bot/engine/agents/downloads.ts';
import { notYetWorkflow } from '../../../bot/engine/agents/inPreparation.ts';
import {
  agentForAction,
  agentForSearch,
  closeAgents,
  makeExport,
  readReadyFiles,
  registerAgents,
  registeredAgent,
} from '../../../bot/engine/agents/registry.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../bot/engine/agents/requireAgentOf.ts';
import { isOwnExport } from '../../../bot/engine/delivery/ownExports.ts';
import { kindOf } from '../../../bot/engine/questions/kinds/index.ts';
import { workflowNamed } from '../../../bot/engine/workflows/workflow.ts';
import { findAgent, WORKING_AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeStepContext } from '../../factories/stepContext.ts';
import { hireFor, inEveryAccount } from '../../factories/turns.ts';

connectTestStore();

let changed: Agent[] = [];
/** Replaces a part of an agent for one test; `undefined` removes it. */
function change(id: AgentId, parts: { [Part in keyof Agent]?: Agent[Part] | undefined }): void {
  changed.push(registeredAgent(id));
  registerAgents([{ ...registeredAgent(id), ...parts } as Agent]);
}
afterEach(() => {
  registerAgents(changed.reverse());
  changed = [];
});

const keep = (accountId: number, name: string, kind: FileRow['kind'] = 'document') =>
  inEveryAccount(() =>
    keepFile({ accountId, name, kind, type: 'text/plain', key: String(nextNumber()), bytes: Buffer.from(name) }),
  );

describe('the agents together', () => {
  const conversation = { _id: new Types.ObjectId(), accountId: 1, files: {} } as unknown as ConversationRow;
  const takes = (ready: AgentFiles['ready']): AgentFiles => ({
    knows: () => false,
    accept: () => Promise.reject(new Error('nothing is dropped here')),
    ready,
  });

  test('have ready the files of all agents', async () => {
    const [logFileId, planId] = [new Types.ObjectId(), new Types.ObjectId()];
    change('clinical_safety', { files: takes(async () => ({ logFileId, ticketsFileId: null })) });
    change('ops', { files: takes(async ({ _id }) => ({ planId: _id === conversation._id ? planId : null })) });
    expect(await readReadyFiles(conversation)).toEqual({ logFileId, ticketsFileId: null, planId });
  });

  test('leave scheduled work to the agent that declares it', () => {
    expect(agentForAction('hazard_log_analysis')?.agent.id).toBe('clinical_safety');
    expect(agentForAction('cscr_generation')?.agent.id).toBe('clinical_safety');
    expect(agentForAction('report')).toBeNull();
    const begin = () => ({ workflow: 'report', goal: 'Write the report', state: {} });
    change('ops', { schedules: { report: begin } });
    expect(agentForAction('report')).toMatchObject({ agent: { id: 'ops' }, begin });
    expect(agentForAction('toString')).toBeNull();
  });

  test('leave a search to the agent that declares its name, if it can search', () => {
    const id = findAgent('clinical_safety')?.search?.id;
    expect(agentForSearch(id)?.id).toBe('clinical_safety');
    for (const other of ['patients', undefined, null, 3]) expect(agentForSearch(other)).toBeNull();
    change('clinical_safety', { search: undefined });
    for (const any of [id, undefined]) expect(agentForSearch(any)).toBeNull();
  });

  test('reserve the names of their exports for Arc', () => {
    const name = `wards-${nextNumber()}.xlsx`;
    expect(isOwnExport(name)).toBe(false);
    change('ops', { isExport: (given) => given === name });
    expect(isOwnExport(name)).toBe(true);
    change('developer', { isExport: undefined });
    expect(isOwnExport(`other-${name}`)).toBe(false);
  });

  test('each release their resources at the end', async () => {
    const ended: string[] = [];
    change('clinical_safety', { close: async () => void ended.push('clinical_safety') });
    change('ops', { close: async () => void ended.push('ops') });
    await closeAgents();
    expect(ended.sort()).toEqual(['clinical_safety', 'ops']);
  });

  test('make the workflows that they declare available', () => {
    const workflow = { ...notYetWorkflow, name: `workflow-${nextNumber()}` };
    expect(() => workflowNamed(workflow.name)).toThrow();
    change('ops', { workflows: [workflow] });
    expect(workflowNamed(workflow.name)).toBe(workflow);
  });

  test('make the kinds of questions that they declare available', () => {
    const id = `kind-${nextNumber()}`;
    expect(kindOf(id).label).not.toBe('A choice of wards');
    const kind = { ...kindOf('approval'), id, label: 'A choice of wards' };
    change('ops', { questionKinds: [kind] });
    expect(kindOf(id)).toBe(kind);
  });
});

describe('a download', () => {
  test('by the name of an export is that export, whatever somebody uploaded under its name before', async () => {
    const accountId = nextNumber();
    const name = `reviewed-${nextNumber()}.txt`;
    const uploaded = await keep(accountId, name);
    const made = await keep(accountId, name, 'export');
    expect(made.name).not.toBe(name);
    const find = () => runInAccount(accountId, () => findDownload(accountId, name));
    change('ops', { isExport: (given) => given === name, makeExport: async () => null });
    expect((await find())?._id).toEqual(uploaded._id);
    change('ops', { isExport: (given) => given === name, makeExport: async () => made });
    expect((await find())?._id).toEqual(made._id);
  });

  test('is a file of the account by name, with its bytes; a result is kept for the engine', async () => {
    const [accountId, other] = [nextNumber(), nextNumber()];
    const [first] = [await keep(accountId, 'b.txt'), await keep(accountId, 'a.txt'), await keep(other, 'c.txt')];
    await keep(accountId, 'result.json', 'result');
    const find = (name: string) => inEveryAccount(() => findDownload(accountId, name));
    expect(await find('b.txt')).toMatchObject({ _id: first._id, accountId });
    for (const name of ['c.txt', 'result.json', 'none.txt']) expect(await find(name)).toBeNull();
    const read = await runInAccount(accountId, () => readDownload(accountId, 'a.txt'));
    expect([read?.row.name, read?.bytes.toString()]).toEqual(['a.txt', 'a.txt']);
    expect(await runInAccount(accountId, () => readDownload(accountId, 'none.txt'))).toBeNull();
  });

  test('is generated if an agent knows its name and no file of that name is stored', async () => {
    const accountId = nextNumber();
    const asked: unknown[] = [];
    const made = await keep(accountId, 'made.txt', 'export');
    change('ops', {
      makeExport: async (...given) => {
        asked.push(given);
        return given[1] === 'proposed.txt' ? made : null;
      },
    });
    await keep(accountId, 'kept.txt');
    const find = (name: string) => runInAccount(accountId, () => findDownload(accountId, name));
    expect((await find('kept.txt'))?.name).toBe('kept.txt');
    expect(asked).toEqual([]);
    expect((await find('proposed.txt'))?._id).toEqual(made._id);
    expect(await find('other.txt')).toBeNull();
    expect(asked).toEqual(['proposed.txt', 'other.txt'].map((name) => [accountId, name]));
    expect(await runInAccount(accountId, () => makeExport(accountId, 'other.txt'))).toBeNull();
  });
});

describe('a call for one agent’s work', () => {
  test('goes to an agent of that kind that the account has hired', async () => {
    const [who, colder] = [makeWho(), makeWho()];
    const wrong = await hireFor(who.accountId, 'developer');
    const own = await hireFor(who.accountId, 'clinical_safety');
    const unready = await hireFor(colder.accountId, 'clinical_safety', 'hired');
    const ask = (_id: number, by = who) => inEveryAccount(() => requireAgentOf(by, _id, 'clinical_safety'));
    expect(await ask(own)).toMatchObject({ _id: own, accountId: who.accountId });
    expect(await ask(unready, colder)).toMatchObject({ _id: unready, status: 'hired' });
    for (const _id of [unready, nextNumber()]) expect(await codeOf(ask(_id))).toBe('not_found');
    await expect(ask(wrong)).rejects.toMatchObject({
      code: 'wrong_agent',
      values: { agent: 'the agent “Clinical safety officer”' },
    });
    const askReady = (_id: number, by = who) => inEveryAccount(() => requireReadyAgentOf(by, _id, 'clinical_safety'));
    expect(await askReady(own)).toMatchObject({ _id: own });
    expect(await codeOf(askReady(unready, colder))).toBe('agent_not_ready');
    expect(await codeOf(askReady(wrong))).toBe('wrong_agent');
  });
});

test('an agent in preparation introduces itself, names the agents at work, and costs nothing', async () => {
  const { said, runStep } = makeStepContext({ accountId: nextNumber(), agentId: 'outreach' });
  const result = await runStep(notYetWorkflow.steps[notYetWorkflow.first]?.run);
  const text = `I am Otis, ${findAgent('outreach')?.role}. My own work is in preparation, so I did nothing with your message and it cost no credits. At work today: ${WORKING_AGENTS.map(({ displayName, role }) => `${displayName}, ${role}`).join('; ')}.`;
  expect(said).toEqual([{ key: 'answer', kind: 'text', text }]);
  expect(result).toEqual({ done: { output: text }, cost: 0 });
  expect(notYetWorkflow.reserve).toBe(0);
});
