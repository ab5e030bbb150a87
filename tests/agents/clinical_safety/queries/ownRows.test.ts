/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { routeQuestion } from '../../../../bot/agents/clinical_safety/workflows/answer.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';

connectTestStore();

/** The grounded answer or reply to a question. */
async function ask(accountId: number, question: string): Promise<unknown> {
  const route = await runInAccount(accountId, () => routeQuestion({ _id: new Types.ObjectId(), accountId }, question));
  const { state } = route as { state?: { grounded?: string; answer?: string } };
  return state?.grounded ?? state?.answer;
}

const addAnalysis = (accountId: number, status: string, logFileName: string) =>
  runInAccount(accountId, () =>
    HazardAnalysis.collection.insertOne({
      _id: nextNumber() as never,
      runId: new Types.ObjectId(),
      ...{ accountId, status, logFileName, headline: null, createdAt: new Date('2026-05-04T09:00:00Z') },
    } as never),
  );

test('analyses are counted by their state, those of the own company alone', async () => {
  const accountId = nextNumber();
  await addAnalysis(accountId, 'merged', 'log v1.xlsx');
  await addAnalysis(accountId, 'cancelled', 'log v2.xlsx');
  await addAnalysis(nextNumber(), 'merged', 'other.xlsx');
  expect(await ask(accountId, 'How many analyses were merged?')).toBe(
    '1 analysis of 2 has been merged:\n• log v1.xlsx, 4 May 2026, merged',
  );
  expect(await ask(accountId, 'Which analyses are not merged?')).toMatch(/^1 analysis of 2 .*\n• log v2\.xlsx/);
});

test('decisions on matches are asked by person, hazard and outcome', async () => {
  const accountId = nextNumber();
  const add = (ticketKey: string, covers: boolean, name: string) =>
    runInAccount(accountId, () =>
      TicketMatch.collection.insertOne({
        _id: new Types.ObjectId(),
        ...{ accountId, ticketKey, hazardId: 'H-01', covers, via: 'slack', takenBack: null },
        ...{ by: { userId: 1, name }, at: new Date('2026-05-04T09:00:00Z') },
      } as never),
    );
  await add('EX-1', true, 'Bo Lindqvist');
  await add('EX-2', false, 'Cy Moss');
  expect(await ask(accountId, 'Which decisions were made by Bo Lindqvist?')).toMatch(
    /^1 decision of 2 .*\n• EX-1: H-01 covers it \(Bo Lindqvist, 4 May 2026\)/,
  );
  expect(await ask(accountId, 'How many decisions were not confirmed?')).toMatch(/^1 decision of 2 .*\n• EX-2: /);
});
