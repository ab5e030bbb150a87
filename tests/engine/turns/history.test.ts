/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { describeAccount, describeCatalogue, hireHere } from '../../../bot/engine/turns/channelCommands.ts';
import { readHistory } from '../../../bot/engine/turns/readHistory.ts';
import { AGENTS, findAgent } from '../../../models/contracts/catalogue.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import { StoredFile } from '../../../models/file.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { codeOf, connectTestStore, giveTrial, makeWho, nextNumber } from '../../factories/account.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';
import { hireFor, inEveryAccount, openPlace } from '../../factories/turns.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

describe('the history of a conversation', () => {
  let conversation: ConversationRow;
  beforeEach(async () => {
    conversation = await openPlace(accountId);
  });
  const read = () => inEveryAccount(() => readHistory(conversation, { limit: 10 }));
  const addRun = async (more: Partial<RunRow> = {}) => {
    const row = {
      _id: new Types.ObjectId(),
      accountId,
      workflow: 'hazard-analysis',
      userAgentId: 1,
      agentId: 'clinical_safety',
      conversationId: conversation._id,
      startKey: String(nextNumber()),
      status: 'ready',
      step: 'read',
      ...more,
    };
    await inEveryAccount(() => Run.create(row as never));
    return String(row._id);
  };

  test('lists running and waiting work: only of its own account, and only with a title', async () => {
    const shown = [await addRun(), await addRun({ status: 'waiting', workflow: 'hazard-merge' })];
    for (const status of ['completed', 'failed', 'cancelled'] as const) await addRun({ status });
    await addRun({ conversationId: new Types.ObjectId() });
    await addRun({ accountId: nextNumber() });
    await addRun({ workflow: 'general-answer' });
    const { working } = await read();
    expect(working.map(({ runId, status }) => [runId, status]).sort()).toEqual(
      [
        [shown[0], 'working'],
        [shown[1], 'waiting'],
      ].sort(),
    );
  });

  test('lists at most twenty pieces of work', async () => {
    for (let count = 0; count < 21; count += 1) await addRun({ status: 'waiting' });
    expect((await read()).working).toHaveLength(20);
  });

  test('names the agent for messages that name none: the current one, or else the first that works', async () => {
    expect((await read()).spokenTo).toBeNull();
    const ids = [await hireFor(accountId, 'developer'), await hireFor(accountId, 'designer')];
    expect((await asInPreparation('developer', read)).spokenTo).toBe('designer');
    expect((await read()).spokenTo).toBe('developer');
    await hireFor(accountId, 'clinical_safety');
    expect((await read()).spokenTo).toBe('clinical_safety');
    conversation = { ...conversation, userAgentId: ids[0] ?? null };
    expect((await read()).spokenTo).toBe('developer');
    conversation = { ...conversation, userAgentId: nextNumber() };
    expect((await read()).spokenTo).toBe('clinical_safety');
  });

  test('names the files in use, each as its owner named it', async () => {
    const addFile = async (originalName: string) => {
      const _id = new Types.ObjectId();
      const row = { _id, accountId, originalName, name: `kept-${originalName}`, kind: 'tickets', key: String(_id) };
      await inEveryAccount(() => StoredFile.create(row as never));
      return _id;
    };
    const [log, tickets] = [await addFile('log.xlsx'), await addFile('tickets.csv')];
    await addFile('other.csv');
    const set = async (files: ConversationRow['files']) => {
      await inEveryAccount(() => Conversation.updateOne({ _id: conversation._id }, { $set: { files } }));
      conversation = { ...conversation, files };
      return (await read()).ready;
    };
    expect(await set({})).toEqual({ log: null, tickets: null });
    expect(await set({ tickets })).toEqual({ log: null, tickets: 'tickets.csv' });
    expect(await set({ 'hazard-log': log, tickets })).toEqual({ log: 'log.xlsx', tickets: 'tickets.csv' });
    expect(await set({ 'hazard-log': log })).toEqual({ log: 'log.xlsx', tickets: null });
    expect(await set({ 'hazard-log': new Types.ObjectId() })).toEqual({ log: null, tickets: null });
  });
});

describe('a command', () => {
  const developer = findAgent('developer')!;
  const clara = findAgent('clinical_safety')!;

  test('lists who can be hired, and who is in preparation', () => {
    const lines = describeCatalogue().split('\n');
    expect(lines).toHaveLength(1 + AGENTS.length);
    expect(lines.slice(0, 3)).toEqual([
      'Who can be hired:',
      '• Marta, EU MDR technical file',
      '• Clara, Clinical safety officer',
    ]);
  });

  test('hires an agent during a trial or a plan, and says what comes next', async () => {
    const who = makeWho({ accountId });
    expect(await codeOf(inEveryAccount(() => hireHere(who, developer)))).toBe('trial_over');
    await giveTrial(accountId);
    expect(await asInPreparation('developer', () => inEveryAccount(() => hireHere(who, developer)))).toBe(
      `Devon is hired. This agent’s own work is in preparation. Complete the onboarding at ${baseUrl()}/workspace`,
    );
    expect(await inEveryAccount(() => hireHere(who, clara))).toBe(
      `Clara is hired. Complete the onboarding at ${baseUrl()}/workspace`,
    );
    const hired = await inEveryAccount(() => UserAgent.find({ accountId }).sort({ agentId: 1 }).lean());
    expect(hired.map(({ agentId, status }) => [agentId, status])).toEqual([
      ['clinical_safety', 'hired'],
      ['developer', 'hired'],
    ]);
  });

  test('lists who works for the account, even one that the catalogue no longer has', async () => {
    await hireFor(accountId, 'clinical_safety');
    await hireFor(accountId, 'retired' as never, 'hired');
    await hireFor(nextNumber(), 'developer');
    const [first, ...rest] = (await inEveryAccount(() => describeAccount(makeWho({ accountId })))).split('\n');
    expect(first).toMatch(/^Engine: .+\. Credits: 0\.$/);
    expect(rest).toEqual(['• Clara, Clinical safety officer: onboarded', '• retired: hired']);
  });
});
