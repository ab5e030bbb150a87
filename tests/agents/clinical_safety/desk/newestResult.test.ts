/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { newestResult } from '../../../../bot/agents/clinical_safety/desk/newestResult.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
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
  await runInAccount(accountId, async () => {
    const { found, expected } = makeFinding({ level: 'fix' });
    const accept = (value: string | null) =>
      FindingLife.create({
        accountId,
        seenAs: [`${_id} ${makeFinding({ level: 'fix' }).id}`],
        analyses: [_id],
        accepted: { reason: 'Known', by: { userId: who.userId, name: 'Ada' }, at: new Date(), found: value, expected },
      } as never);
    const toFix = async () => (await newestResult(who))?.figures[1];
    await accept(found);
    expect(await toFix()).toEqual({ label: 'findings to fix, 1 accepted', value: '0' });
    // What was accepted no longer stands in the log.
    await FindingLife.deleteMany({ accountId });
    await accept('something else');
    expect(await toFix()).toEqual({ label: 'finding to fix', value: '1' });
  });
  const stranger = makeWho();
  expect(await runInAccount(stranger.accountId, () => newestResult(stranger))).toBeNull();
});
