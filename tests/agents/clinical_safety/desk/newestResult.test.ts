/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { newestResult } from '../../../../bot/agents/clinical_safety/desk/newestResult.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';

connectTestStore();

const CHANGES = {
  hazards: { added: 0, removed: 0, rerated: 2 },
  findings: { fixed: 0, added: 0 },
  coverageBefore: { covered: 1, relevant: 4 },
};

test.each([
  ['no analysis before', null, null],
  ['ratings that changed, although every figure is the same', CHANGES, 'Changed: 2 hazards re-rated'],
  [
    'coverage then and now',
    { ...CHANGES, coverageBefore: { covered: 0, relevant: 4 } },
    'Changed: 2 hazards re-rated, coverage 1 of 4 (0 of 4 before)',
  ],
])('the newest result is shown with %s', async (_, changes, changed) => {
  const who = makeWho();
  const { accountId } = who;
  const _id = nextNumber();
  await runInAccount(accountId, async () => {
    const runId = new Types.ObjectId();
    const result = makeResult({
      hazards: [makeHazard({ id: 'H1' })],
      findings: [makeFinding({ level: 'fix' })],
      coverage: { covered: 1, relevant: 4 },
      coverageScore: 25,
    });
    const row: Partial<HazardAnalysisRow> = {
      _id,
      accountId,
      userAgentId: 3,
      userId: who.userId,
      runId,
      status: 'complete',
      logFileId: new Types.ObjectId(),
      logFileName: 'log.xlsx',
      changes,
      ...(await keepResult(accountId, runId, result)),
    };
    await HazardAnalysis.create(row as never);
    expect(await newestResult(who)).toMatchObject({
      title: 'log.xlsx',
      figures: [
        { label: 'hazard', value: '1' },
        { label: 'finding to fix', value: '1' },
        { label: 'coverage', value: '1 of 4' },
      ],
      changed,
      path: `/analyses/${_id}`,
    });
  });
  const stranger = makeWho();
  expect(await runInAccount(stranger.accountId, () => newestResult(stranger))).toBeNull();
});
