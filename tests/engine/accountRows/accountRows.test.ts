/** @environment store */
import { describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { queryLine } from '../../../bot/agents/clinical_safety/answers/rowQuery.ts';
import { openAccountRows } from '../../../bot/engine/accountRows/openAccountRows.ts';
import { grantCredits, reserveCredits } from '../../../bot/engine/credits/credits.ts';
import { AutomationJob } from '../../../models/automationJob.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { addMember, connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';

connectTestStore();

/** What an account is told; null where the question is not about its rows, or is not understood. */
const ask = (accountId: number, question: string) =>
  runInAccount(accountId, async () => {
    const { line } = queryLine(question);
    const rows = await openAccountRows(accountId, line);
    const answer = rows?.ask(line);
    return answer ? ('refused' in answer ? `refused: ${answer.refused}` : answer.text) : null;
  });

const addQuestion = (accountId: number, more: Partial<InterruptRow>) =>
  runInAccount(accountId, () =>
    Interrupt.create(makeInterrupt({ _id: nextNumber(), accountId, askKey: String(new Types.ObjectId()), ...more })),
  );
const answeredIn = (via: 'slack' | 'teams', name: string): Partial<InterruptRow> => ({
  status: 'resolved',
  resolution: { outcome: 'approved', by: { userId: 1, name }, via, at: new Date() } as InterruptRow['resolution'],
});
const addRun = (accountId: number, more: Partial<RunRow>) =>
  runInAccount(accountId, () =>
    Run.collection.insertOne({
      _id: new Types.ObjectId(),
      startKey: String(new Types.ObjectId()),
      accountId,
      agentId: 'clinical_safety',
      goal: 'Analyse the log',
      channel: 'arc',
      status: 'completed',
      spent: 10,
      ...more,
    } as never),
  );

describe('questions of the inbox', () => {
  test('are counted by their state, and listed with their number', async () => {
    const accountId = nextNumber();
    await addQuestion(accountId, { _id: accountId * 10 + 1, prompt: 'May I send it?' });
    await addQuestion(accountId, { _id: accountId * 10 + 2, ...answeredIn('slack', 'Bo Lindqvist') });
    await addQuestion(accountId, { _id: accountId * 10 + 3, status: 'cancelled' });
    await addQuestion(nextNumber(), { prompt: 'Of another company' });
    expect(await ask(accountId, 'How many questions are waiting?')).toBe(
      `1 question of 3 is waiting:\n• ${accountId}1, waiting, Clara: May I send it?`,
    );
    expect(await ask(accountId, 'How many questions are not waiting?')).toMatch(/^2 questions of 3 are not waiting:/);
    expect(await ask(accountId, 'Which questions were answered by Bo Lindqvist?')).toMatch(
      /^1 question of 3 .*Bo Lind/,
    );
    expect(await ask(accountId, 'Which questions were answered in Slack?')).toMatch(/^1 question of 3 .*Slack/);
    expect(await ask(accountId, 'Which questions were answered in Teams?')).toMatch(/^0 questions of 3 /);
  });
});

test('runs are counted by state and by cost, those of the own account alone', async () => {
  const accountId = nextNumber();
  await addRun(accountId, { spent: 10 });
  await addRun(accountId, { spent: 11, status: 'failed', goal: 'Merge' });
  await addRun(accountId, { spent: 12, status: 'ready' });
  await addRun(nextNumber(), { spent: 99, status: 'failed' });
  expect(await ask(accountId, 'Which runs failed?')).toBe(
    '1 run of 3 has failed:\n• Merge (Clara, failed, 11 credits)',
  );
  expect(await ask(accountId, 'How many runs cost more than 10?')).toMatch(/^2 runs of 3 /);
  expect(await ask(accountId, 'How many runs cost at least 12?')).toMatch(/^1 run of 3 /);
  expect(await ask(accountId, 'How many unfinished runs?')).toMatch(/^2 runs of 3 /);
});

test('of more than 2,000 runs the newest are looked at, and the answer says so', async () => {
  const accountId = nextNumber();
  const rowsOf = (count: number, status: RunRow['status']) =>
    Array.from({ length: count }, () => ({
      ...{ _id: new Types.ObjectId(), startKey: String(new Types.ObjectId()), accountId },
      ...{ agentId: 'clinical_safety', goal: 'x', channel: 'arc', spent: 1 },
      status,
    }));
  const insert = (rows: object[]) => runInAccount(accountId, () => Run.collection.insertMany(rows as never));
  await insert([...rowsOf(1, 'failed'), ...rowsOf(1999, 'completed')]);
  expect(await ask(accountId, 'How many runs failed?')).toMatch(/^1 run of 2000 has failed:\n• [^\n]*$/);
  await insert(rowsOf(1, 'completed'));
  expect(await ask(accountId, 'How many runs failed?')).toBe(
    '0 runs of 2000 have failed.\nI looked at the newest 2,000 of 2,001 runs.',
  );
});

test('schedules are listed with their next time in the company’s zone', async () => {
  const accountId = nextNumber();
  const make = (name: string, enabled: boolean) =>
    runInAccount(accountId, () =>
      AutomationJob.create({
        ...{ _id: nextNumber(), accountId, userId: 1, name, action: 'weekly', prompt: '', cronExpression: '0 9 * * 1' },
        ...{ enabled, nextRunAt: enabled ? new Date('2027-07-05T08:00:00Z') : null },
      }),
    );
  await make('Monday check', true);
  await make('Old check', false);
  expect(await ask(accountId, 'Which schedules are on?')).toBe(
    '1 schedule of 2 is on:\n• Monday check (next on Mon 5 Jul, 09:00)',
  );
  expect(await ask(accountId, 'Which schedules are off?')).toMatch(
    /^1 schedule of 2 .*:\n• Old check \(switched off\)$/,
  );
});

test('members are counted by their roles', async () => {
  const { accountId } = await addMember(['owner', 'approver'], { lastName: 'Okafor' });
  await addMember(['clinical-safety-officer'], { accountId, firstName: 'Bo', lastName: 'Lindqvist' });
  await addMember(['member'], { accountId, firstName: 'Cy', lastName: 'Moss' });
  expect(await ask(accountId, 'How many members are there?')).toMatch(/^3 members/);
  expect(await ask(accountId, 'Which members are approvers?')).toBe(
    '1 member of 3 has the role approver:\n• Ada Okafor (owner, approver)',
  );
  expect(await ask(accountId, 'Which members are not approvers?')).toMatch(/^2 members of 3 /);
});

test('entries of credits are summed by nothing that was not asked, and counted by amount', async () => {
  const accountId = nextNumber();
  await runInAccount(accountId, async () => {
    await grantCredits(accountId, 500, 'grant', 'Sign-up');
    await reserveCredits({ accountId, runId: 'r1', agentId: 'clinical_safety', channel: 'arc' }, 10, 'Analyse');
  });
  expect(await ask(accountId, 'Which credit entries have an amount above 0?')).toBe(
    '1 entry of credits of 2 has an amount above 0:\n• Sign-up: +500',
  );
});

test('a question that names no rows of the account opens none', async () => {
  expect(await ask(nextNumber(), 'Which hazards are open?')).toBeNull();
});
