/** @environment store */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Agent, DroppedFile, GivenFile } from '../../../bot/engine/agents/agent.ts';
import { registerAgents, registeredAgent } from '../../../bot/engine/agents/registry.ts';
import { acceptFile } from '../../../bot/engine/turns/acceptFile.ts';
import { AGENT_IDS, type AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { hireFor, inEveryAccount, openPlace } from '../../factories/turns.ts';

connectTestStore();

let before: Agent[] = [];
let accountId: number;
let conversation: ConversationRow;
let taken: { agent: AgentId; file: GivenFile; drop: string | undefined }[] = [];

/** Lets an agent take files with these name endings; without it no agent takes any. */
function letTake(id: AgentId, ending: string): void {
  const { files: _files, ...part } = registeredAgent(id);
  registerAgents([
    {
      ...part,
      files: {
        knows: ({ fileName }) => fileName.endsWith(ending),
        async accept(_conversation, file, drop) {
          taken.push({ agent: id, file, drop });
          return { file: { name: file.fileName }, seen: {} } as never;
        },
        ready: async () => ({}),
      },
    },
  ]);
}

beforeEach(async () => {
  before = AGENT_IDS.map(registeredAgent);
  for (const { files: _files, ...part } of before) registerAgents([part]);
  taken = [];
  accountId = nextNumber();
  conversation = await openPlace(accountId);
});
afterEach(() => registerAgents(before));

const drop = (fileName: string, text = '') =>
  inEveryAccount(async () => {
    const dropped: DroppedFile = { fileName, bytes: Buffer.from(fileName) };
    await acceptFile((await Conversation.findById(conversation._id).lean()) ?? conversation, dropped, { text });
    return taken.at(-1)?.agent;
  });
const speakTo = (id: number) =>
  inEveryAccount(() => Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: id } }));

describe('an uploaded file', () => {
  test('goes to the conversation’s current agent, whoever else knows its kind', async () => {
    letTake('ops', '.csv');
    letTake('designer', '.csv');
    const ops = await hireFor(accountId, 'ops', 'onboarded');
    const designer = await hireFor(accountId, 'designer', 'onboarded');
    await speakTo(designer);
    expect(await drop('a.csv')).toBe('designer');
    await speakTo(ops);
    expect(await drop('a.csv')).toBe('ops');
  });

  test('goes to the agent that is named with it, even if another one is current', async () => {
    letTake('clinical_safety', '.csv');
    letTake('designer', '.csv');
    await speakTo(await hireFor(accountId, 'clinical_safety', 'onboarded'));
    await hireFor(accountId, 'designer', 'onboarded');
    expect(await drop('a.csv', '@Dara our brand')).toBe('designer');
    expect(await drop('a.csv', 'our brand')).toBe('clinical_safety');
  });

  test('goes to an agent that knows its kind if the current one does not', async () => {
    letTake('clinical_safety', '.csv');
    letTake('designer', '.svg');
    await speakTo(await hireFor(accountId, 'clinical_safety', 'onboarded'));
    await hireFor(accountId, 'designer', 'onboarded');
    expect(await drop('a.svg')).toBe('designer');
    expect(await drop('a.csv')).toBe('clinical_safety');
  });

  test('goes to an onboarded agent rather than one that is only hired, or another account’s', async () => {
    letTake('mdr', '.csv');
    letTake('clinical_safety', '.csv');
    letTake('designer', '.csv');
    await hireFor(accountId, 'mdr', 'hired');
    await hireFor(nextNumber(), 'clinical_safety', 'onboarded');
    await hireFor(accountId, 'designer', 'onboarded');
    expect(await drop('a.csv')).toBe('designer');
  });

  test('goes by the order of the list if there is no current agent', async () => {
    letTake('designer', '.csv');
    letTake('clinical_safety', '.csv');
    expect(await drop('a.csv')).toBe('clinical_safety');
    await hireFor(accountId, 'designer', 'onboarded');
    await hireFor(accountId, 'clinical_safety', 'onboarded');
    expect(await drop('a.csv')).toBe('clinical_safety');
  });

  test('that no agent knows is refused by the current one, if it takes files', async () => {
    letTake('clinical_safety', '.csv');
    letTake('designer', '.svg');
    await speakTo(await hireFor(accountId, 'designer', 'onboarded'));
    expect(await drop('a.exe')).toBe('designer');
  });

  test('is refused if no agent takes files', async () => {
    const dropped = { fileName: 'a.csv', bytes: Buffer.from('a') };
    expect(await inEveryAccount(() => codeOf(acceptFile(conversation, dropped)))).toBe('invalid_file_type');
  });

  test('comes with its SHA-256 and the id of its upload', async () => {
    letTake('ops', '.csv');
    const bytes = Buffer.from('id,summary');
    await inEveryAccount(() => acceptFile(conversation, { fileName: 'a.csv', bytes }, { key: 'turn:1' }));
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(taken).toEqual([{ agent: 'ops', file: { fileName: 'a.csv', bytes, digest }, drop: 'turn:1' }]);
  });
});
