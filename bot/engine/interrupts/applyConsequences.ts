import { auditTrail } from '../../../models/auditEvent.ts';
import { type Consequence, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { closeDeliveries } from '../delivery/deliverQuestion.ts';

type Resume = (answered: InterruptRow) => Promise<void>;
let resume: Resume = () => Promise.reject(new Error('Nothing resumes runs in this process.'));

/** Workflows stand above interrupts: they say here, at start, how a run goes on. */
export function onAnswered(how: Resume): void {
  resume = how;
}

/** What follows an answer, each keyed so that doing it again changes nothing. */
const APPLY: Record<Consequence, (row: InterruptRow) => Promise<void>> = {
  async audit(row) {
    const { resolution } = row;
    if (!resolution) return;
    await auditTrail.append(row.accountId, {
      key: `interrupt:${row._id}:answered`,
      event: 'interrupt.answered',
      userId: resolution.by.userId,
      surface: resolution.via,
      subject: `interrupt:${row._id}`,
      shownDigest: resolution.shownDigest ?? row.shownDigest,
      outcome: `${resolution.outcome}:${row.answerDigest}`,
      at: resolution.at,
    });
  },
  resume: (row) => resume(row),
  deliveries: closeDeliveries,
};

/** Applies what an answered question still holds in its outbox and takes each off once it is done. */
export async function applyConsequences(row: InterruptRow): Promise<void> {
  await runInAccount(row.accountId, async () => {
    // The run goes on first: a person waits for it, while the rest has a second.
    const order = [...row.outbox].sort((a, b) => Number(b === 'resume') - Number(a === 'resume'));
    const done = await Promise.allSettled(
      order.map(async (consequence) => {
        await APPLY[consequence](row);
        return consequence;
      }),
    );
    const applied = done.filter((it) => it.status === 'fulfilled').map((it) => it.value);
    await Interrupt.updateOne({ _id: row._id }, { $pull: { outbox: { $in: applied } } });
    const failed = done.find((it) => it.status === 'rejected');
    if (failed) throw failed.reason;
  });
}

/** Finishes what a crash left between an answer and what follows it. */
export async function sweepConsequences(): Promise<number> {
  const left = (await dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status: 'resolved', outbox: { $in: ['audit', 'resume', 'deliveries'] } })
      .limit(200)
      .lean(),
  )) as InterruptRow[];
  for (const row of left) {
    await applyConsequences(row).catch((error: unknown) =>
      logger.warn({ err: error, interrupt: row._id }, 'consequences failed again'),
    );
  }
  return left.length;
}
