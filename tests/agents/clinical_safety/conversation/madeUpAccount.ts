import { Types } from 'mongoose';
import { AutomationJob } from '../../../../models/automationJob.ts';
import { StoredFile } from '../../../../models/file.ts';
import { Interrupt, type InterruptRow } from '../../../../models/interrupt.ts';
import { LedgerEntry } from '../../../../models/ledgerEntry.ts';
import { Member, type Role } from '../../../../models/member.ts';
import { Run, type RunRow } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { User } from '../../../../models/user.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';

const PEOPLE: readonly [first: string, last: string, roles: Role[]][] = [
  ['Ada', 'Quill', ['owner']],
  ['Bo', 'Larkin', ['clinical-safety-officer', 'approver']],
  ['Cem', 'Yilmaz', ['approver']],
  ['Dee', 'Okafor', ['deputy']],
];

const answeredBy = (name: string, via: 'slack' | 'inbox'): Partial<InterruptRow> => ({
  status: 'resolved',
  resolution: { outcome: 'approved', by: { userId: 1, name }, via, at: new Date() } as InterruptRow['resolution'],
});
/** Three that wait, two that were answered, one that was withdrawn. */
const QUESTIONS: readonly Partial<InterruptRow>[] = [
  { status: 'pending' },
  { status: 'pending' },
  { status: 'pending' },
  answeredBy('Bo Larkin', 'slack'),
  answeredBy('Ada Quill', 'inbox'),
  { status: 'cancelled' },
];

const RUNS: readonly [status: RunRow['status'], spent: number][] = [
  ['ready', 0],
  ['waiting', 10],
  ['waiting', 10],
  ['completed', 10],
  ['completed', 10],
  ['completed', 1],
  ['completed', 30],
  ['failed', 20],
  ['cancelled', 0],
];

const SCHEDULES: readonly [name: string, enabled: boolean][] = [
  ['Monday check', true],
  ['Monthly check', true],
  ['Old check', false],
];

const DOCUMENTS: readonly [name: string, addedBy: string][] = [
  ['Safety plan.docx', 'Ada Quill'],
  ['Meeting of May.docx', 'Ada Quill'],
  ['Test report 14.pdf', 'Ada Quill'],
  ['Training record.pdf', 'Bo Larkin'],
];

const ENTRIES: readonly ['grant' | 'reserve' | 'settle', amount: number, note: string][] = [
  ['grant', 100, 'Sign-up'],
  ['reserve', -20, 'Analyse the log'],
  ['settle', 2, 'Analyse the log'],
  ['reserve', -5, 'Answer'],
  ['reserve', -5, 'Answer'],
];

/**
 * Fills an account with the rows that the labelled questions about the account are about.
 * @param firstId the first of twenty free ids for its people, questions and schedules
 */
export async function fillMadeUpAccount(accountId: number, firstId: number): Promise<void> {
  let id = firstId;
  const next = () => id++;
  for (const [firstName, lastName, roles] of PEOPLE) {
    const userId = next();
    await User.create({ _id: userId, email: `user${userId}@example.org`, emailVerified: true, firstName, lastName });
    await Member.create({ accountId, userId, roles });
  }
  await runInAccount(accountId, async () => {
    for (const row of QUESTIONS)
      await Interrupt.create(
        makeInterrupt({ _id: next(), accountId, askKey: String(new Types.ObjectId()), prompt: 'May I?', ...row }),
      );
    await Run.collection.insertMany(
      RUNS.map(([status, spent]) => ({
        ...{ _id: new Types.ObjectId(), startKey: String(new Types.ObjectId()), accountId, userAgentId: 1 },
        ...{ agentId: 'clinical_safety', goal: 'Check the log', channel: 'arc', status, spent },
      })) as never,
    );
    for (const [name, enabled] of SCHEDULES)
      await AutomationJob.create({
        ...{ _id: next(), accountId, userId: 1, name, action: 'weekly', prompt: '', cronExpression: '0 9 * * 1' },
        ...{ enabled, nextRunAt: enabled ? new Date('2031-07-07T08:00:00Z') : null },
      });
    await StoredFile.collection.insertMany(
      DOCUMENTS.map(([originalName, name]) => ({
        ...{
          _id: new Types.ObjectId(),
          accountId,
          kind: 'document',
          name: `${originalName}-${accountId}`,
          key: originalName,
        },
        ...{ originalName, addedBy: { userId: 1, name }, createdAt: new Date() },
      })) as never,
    );
    let balanceAfter = 0;
    const rows = ENTRIES.map(([kind, amount, note], seq) => {
      balanceAfter += amount;
      return { accountId, seq, kind, amount, note, key: `made-up-${seq}`, balanceAfter, agentId: null };
    });
    await LedgerEntry.collection.insertMany(rows as never);
  });
}
