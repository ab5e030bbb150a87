import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { HazardFileError } from '../../../bot/agents/clinical_safety/errors.ts';
import { exportName } from '../../../bot/agents/clinical_safety/export/makeExport.ts';
import { translateFileError, withFileErrors } from '../../../bot/agents/clinical_safety/files/fileErrors.ts';
import { packList, packValue, readList, unpackText } from '../../../bot/agents/clinical_safety/results/jsonLines.ts';
import { onlyReference, withIdsOnly } from '../../../bot/agents/clinical_safety/workflows/derived.ts';
import { makeDraft } from '../../../bot/agents/clinical_safety/workflows/earlierRejections.ts';
import { agents } from '../../../bot/agents/index.ts';
import { collaborators, contribute } from '../../../bot/engine/agents/collaborate.ts';
import { defineInPreparation } from '../../../bot/engine/agents/inPreparation.ts';
import { registerAgents, registeredAgent } from '../../../bot/engine/agents/registry.ts';
import { workflowNamed } from '../../../bot/engine/workflows/workflow.ts';
import { AGENTS, isWorking } from '../../../models/contracts/catalogue.ts';
import { AGENT_IDS, type AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { attachmentOf } from '../../../models/contracts/files.ts';
import { baseUrl } from '../../../models/env.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';
import { makeProposal } from '../../factories/interrupt.ts';

registerAgents(agents);

describe('an answer about a log, under limited consent', () => {
  const LINK = `The answer is in Arc: ${baseUrl()}/arc-chat`;
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `NRL${at + 10}`);
  test.each([
    ['NRL01 and H-2, again NRL01, are open.', 'It concerns NRL01, H-2. '],
    ['The dose is wrong.', ''],
    [ids(20).join(' '), `It concerns ${ids(20).join(', ')}. `],
    [ids(21).join(' '), `It concerns ${ids(20).join(', ')}. `],
  ])('sends only the ids of “%s”', (text, concerns) => {
    expect(withIdsOnly(text)).toEqual({ redacted: `${concerns}${LINK}`, reference: LINK });
  });

  test('is the same under every mode if it contains only counts', () => {
    expect(onlyReference('3 rows.')).toEqual({ redacted: '3 rows.', reference: '3 rows.' });
  });
});

test('a workflow requires only tools that its agent begins with, and no switch of an agent is left out there', () => {
  const begins = new Map(AGENTS.map(({ id, defaultTools }) => [id, defaultTools]));
  for (const { id, workflows } of agents)
    expect([id, begins.get(id)]).toEqual([id, expect.arrayContaining(workflows.flatMap(({ tool }) => tool ?? []))]);
  for (const { id, tools = [], defaultTools } of AGENTS)
    expect([id, defaultTools]).toEqual([id, expect.arrayContaining(tools.map((tool) => tool.id))]);
});

test('a file link shows the file’s name, whatever characters it contains', () => {
  expect(attachmentOf({ name: 'a b/ü?.xlsx', size: 3, type: 'x' })).toEqual({
    name: 'a b/ü?.xlsx',
    size: 3,
    type: 'x',
    url: '/api/download/a%20b%2F%C3%BC%3F.xlsx',
  });
  expect([exportName('proposed', 7), exportName('reviewed', 8)]).toEqual([
    'proposed-hazards-7.xlsx',
    'reviewed-hazards-8.xlsx',
  ]);
});

describe('an error in reading a file', () => {
  test('is shown in its own words; any other error passes through', async () => {
    const fault = new HazardFileError('encrypted_workbook', 'The workbook has a password.');
    expect(translateFileError(fault)).toMatchObject({
      code: 'invalid_file',
      message: expect.stringContaining('The workbook has a password.'),
      fields: { hazardLogFile: 'The workbook has a password.' },
      cause: fault,
    });
    expect(translateFileError(new HazardFileError('cancelled', 'x'))).toMatchObject({ code: 'cancelled' });
    const other = new Error('other');
    expect(translateFileError(other)).toBe(other);
    await expect(withFileErrors(Promise.reject(fault))).rejects.toMatchObject({ code: 'invalid_file' });
    await expect(withFileErrors(Promise.resolve(3))).resolves.toBe(3);
  });
});

describe('a packed list', () => {
  test.each([0, 1, 2, 199, 200, 201, 400, 401])('of %d items is unpacked unchanged', async (count) => {
    const items = Array.from({ length: count }, (_, at) => ({ at, text: 'a line\nand, another,' }));
    const text = await unpackText(await packList(items));
    expect(await readList(text)).toEqual(items);
    expect(JSON.parse(text.toString('utf8'))).toEqual(items);
  });

  test('yields to other work after two hundred items', async () => {
    const turnsIn = async (work: Promise<unknown>) => {
      let [turns, isDone] = [0, false];
      const count = () => {
        turns += 1;
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      await work;
      isDone = true;
      return turns;
    };
    const lines = `[\n${Array.from({ length: 4000 }, () => '1').join(',\n')}\n]`;
    expect(await turnsIn(readList(Buffer.from(lines)))).toBeGreaterThanOrEqual(19);
    expect(await turnsIn(packList(Array.from({ length: 4000 }, () => 1)))).toBeGreaterThanOrEqual(19);
  });

  test('is JSON, like a packed value', async () => {
    expect(gunzipSync(await packValue({ a: [1] })).toString('utf8')).toBe('{"a":[1]}');
  });
});

test('a review starts with earlier rejections and their reasons', () => {
  const before = { by: 'Ada', at: '2026-01-01T00:00:00.000Z' };
  const proposals = [
    makeProposal({ id: 'a' }),
    makeProposal({ id: 'b', rejectedBefore: { ...before, reason: 'Not ours.' } }),
    makeProposal({ id: 'c', rejectedBefore: { ...before, reason: null } }),
  ];
  expect(makeDraft(proposals)).toEqual([
    { id: 'b', outcome: 'rejected', reason: 'Not ours.' },
    { id: 'c', outcome: 'rejected' },
  ]);
});

describe('the agents', () => {
  test('of the catalogue all have a part of their own; those in preparation say so', async () => {
    expect(AGENT_IDS.map((id) => registeredAgent(id).id)).toEqual([...AGENT_IDS]);
    expect(() => registeredAgent('nobody' as AgentId)).toThrow('No agent is called nobody.');
    const inPreparation = agents.filter(({ workflows }) => workflows.every(({ name }) => name === 'general-answer'));
    expect(inPreparation.map(({ id }) => id)).toEqual(AGENT_IDS.filter((id) => !isWorking(id)));
    const ask = async (text: string) =>
      await asInPreparation('outreach', () =>
        defineInPreparation('outreach').route({ text, userAgent: { accountId: 1 } } as never),
      );
    const [workflow, goal] = ['general-answer', 'Check our file'];
    expect(await ask(goal)).toEqual({ workflow, goal, state: {} });
    expect(await ask('help')).toEqual({ workflow, goal: 'help', state: {} });
    expect(await ask('Hello')).toEqual({
      workflow,
      goal: 'Hello',
      state: { general: expect.stringMatching(/^Hello\./) },
    });
  });
});

test.each([
  'hazard-analysis',
  'hazard-merge',
  'clinical-safety-answer',
  'clinical-safety-reply',
  'clinical-safety-sample',
  'general-answer',
])('the workflow %s is found by its name', (name) => {
  expect(workflowNamed(name)).toMatchObject({ name, steps: { [workflowNamed(name).first]: expect.anything() } });
});

describe('the agents’ answer to a goal', () => {
  const say = (agentId: AgentId, goal: string) => contribute(agentId, goal);
  const bulletsOf = (output: string) => output.split('\n').filter((line) => line.startsWith('•'));

  test('comes from the agents that contribute, each under their own name', () => {
    expect(collaborators()).toEqual(expect.arrayContaining(['clinical_safety', 'mdr']));
    expect(new Set(collaborators())).toEqual(new Set(agents.filter((it) => it.contribute).map(({ id }) => id)));
    for (const id of collaborators()) {
      const { displayName, role } = AGENTS.find((agent) => agent.id === id) ?? {};
      expect(say(id, 'x')).toMatchObject({ agentId: id, agentName: displayName, role });
      expect(Date.parse(say(id, 'x').timestamp)).toBeLessThanOrEqual(Date.now());
    }
    expect(say('ops', 'x')).toMatchObject({ agentName: 'Opal', thinking: '' });
    expect(() => say('nobody' as AgentId, 'x')).toThrow('No agent is called nobody.');
  });

  test('names the hazards that the goal mentions, or says that none stands out', () => {
    const { output, thinking } = say('clinical_safety', 'An app that prescribes drug doses by weight');
    expect(thinking).toMatch(/the \d+ kinds of health IT hazard/);
    const lines = output.split('\n');
    expect(lines[0]).toContain('**Hazards to look at first**');
    expect(bulletsOf(output).length).toBeGreaterThan(0);
    for (const line of bulletsOf(output)) expect(line).toMatch(/^• \*\*[^*]+\*\*: .+/);
    expect(lines.at(-1)).toContain('**Next**');
    expect(output).not.toContain('In preparation');
    const none = say('clinical_safety', 'zzz').output;
    expect(none).toContain('**No hazard stands out');
    expect(none.split('\n')).toHaveLength(2);
    expect(bulletsOf(none)).toEqual([]);
    // A word that occurs in many hazards points to none of them.
    expect(bulletsOf(say('clinical_safety', 'patient').output)).toEqual([]);
  });

  test.each([
    ['Triage of symptoms', 'Diagnosis or triage is named'],
    ['A wearable for glucose', 'Monitoring is named'],
    ['Dosing of insulin', 'Treatment or medicines are named'],
    ['A risk score by AI', 'Prediction is named'],
    ['Our technical file', 'The technical file is named'],
    ['A shop', 'The goal does not say yet'],
  ])('names the signs of a medical device in “%s”: %s', (goal, sign) => {
    const { output, thinking } = say('mdr', goal);
    expect(thinking).toContain('Rule 11');
    expect(bulletsOf(output)).toHaveLength(4);
    expect(bulletsOf(output)[0]).toContain(sign);
    expect(output).toContain('**Answer these first**');
    expect(output).not.toContain('In preparation');
  });
});
