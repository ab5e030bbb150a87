import { auditTrail } from '../../../models/auditEvent.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import {
  auditOfAnswer,
  CONSEQUENCES,
  type Consequence,
  Interrupt,
  type InterruptRow,
} from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { closeDeliveries, conversationOf } from '../delivery/deliverQuestion.ts';
import { say } from '../delivery/say.ts';

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
      ...auditOfAnswer(row),
      event: 'interrupt.answered',
      userId: resolution.by.userId,
      surface: resolution.via,
      subject: `interrupt:${row._id}`,
      shownDigest: resolution.shownDigest ?? row.shownDigest,
      at: resolution.at,
    });
  },
  resume: (row) => resume(row),
  deliveries: closeDeliveries,
};

/** The run goes on first: a person waits for it, while the rest has a second. */
const inOrder = (outbox: readonly Consequence[]) =>
  [...outbox].sort((a, b) => Number(b === 'resume') - Number(a === 'resume'));

/** Applies what an answered question still holds in its outbox and takes each off once it is done. */
export async function applyConsequences(row: InterruptRow): Promise<void> {
  await runInAccount(row.accountId, async () => {
    const done = await Promise.allSettled(
      inOrder(row.outbox).map(async (consequence) => {
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

const readLeft = () =>
  dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status: 'resolved', outbox: { $in: [...CONSEQUENCES] } })
      .sort({ _id: 1 })
      .limit(200)
      .lean(),
  );

/** Finishes what a crash left between an answer and what follows it. */
export async function sweepConsequences(): Promise<number> {
  const left = await readLeft();
  for (const row of left) {
    await runInAccount(row.accountId, () => applyOneByOne(row)).catch((error: unknown) =>
      logger.warn({ err: error, interrupt: row._id }, 'consequences failed again'),
    );
  }
  return left.length;
}

/** Continues every run that was answered, before the process serves anything that could cancel or supersede it. */
export async function resumeAnswered(): Promise<void> {
  for (const row of await readLeft())
    if (row.outbox.includes('resume') && !row.begun)
      await runInAccount(row.accountId, () => APPLY.resume(row)).catch((error: unknown) =>
        logger.warn({ err: error, interrupt: row._id }, 'an answered run is left to the sweeper'),
      );
}

/**
 * Applies one consequence after the other. Each is counted before it begins, because one that ends the process leaves no
 * other trace; one that does so each time is set aside, and the others go on.
 */
async function applyOneByOne(row: InterruptRow): Promise<void> {
  const { _id } = row;
  let begun = row.begun ?? 0;
  for (const consequence of inOrder(row.outbox)) {
    // The first try was made when it was answered.
    if (begun + 1 >= LIMITS.crashes) {
      await setAside(row, consequence);
      begun = 0;
      continue;
    }
    const counted = await Interrupt.updateOne(
      { _id, outbox: consequence, begun: begun > 0 ? begun : { $in: [0, null] } },
      { $set: { begun: begun + 1 } },
    );
    // Another process is at it.
    if (counted.modifiedCount !== 1) return;
    try {
      await APPLY[consequence](row);
    } catch (error) {
      await Interrupt.updateOne({ _id }, { $set: { begun: 0 } });
      throw error;
    }
    await Interrupt.updateOne({ _id }, { $pull: { outbox: consequence }, $set: { begun: 0 } });
    begun = 0;
  }
}

const LEFT_OUT: Record<Consequence, string> = {
  audit: 'the entry in the audit trail is missing',
  resume: 'the work did not go on with it',
  deliveries: 'the question may still look open in some places',
};

async function setAside(row: InterruptRow, consequence: Consequence): Promise<void> {
  const { _id, accountId } = row;
  logger.error({ interrupt: _id, account: accountId, consequence }, 'consequence set aside: it ended the process');
  const conversation = await conversationOf(row);
  if (conversation)
    await say(conversation, {
      key: `interrupt:${_id}:set-aside:${consequence}`,
      messageType: 'system',
      kind: 'text',
      text: `Your answer to question ${_id} is kept, but ${LEFT_OUT[consequence]}: Arc stopped each time it tried. Please tell support the number of the question.`,
    });
  await Interrupt.updateOne(
    { _id },
    { $pull: { outbox: consequence }, $addToSet: { setAside: consequence }, $set: { begun: 0 } },
  );
}
