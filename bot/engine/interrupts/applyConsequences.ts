import { auditTrail } from '../../../models/auditEvent.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { decisionsIn } from '../../../models/contracts/questionRows.ts';
import {
  auditOfAnswer,
  CONSEQUENCES,
  type Consequence,
  hasExpired,
  Interrupt,
  type InterruptRow,
  type StoredDecider,
} from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { scheduleSweep } from '../../../models/store/dueTimers.ts';
import { closeDeliveries, conversationOf } from '../delivery/deliverQuestion.ts';
import { deliverWebhook } from '../delivery/deliverWebhook.ts';
import { say } from '../delivery/say.ts';
import { digestOf } from './digest.ts';

type Resume = (answered: InterruptRow) => Promise<void>;
let resume: Resume = () => Promise.reject(new Error('Nothing resumes runs in this process.'));

/** Registers how a run is resumed: `workflows` depends on this folder, so the call is injected at start. */
export function onAnswered(how: Resume): void {
  resume = how;
}

/**
 * An audit row for each person and surface, where others decided rows than whoever sent the answer: how many, and the
 * digest of their decisions.
 */
function auditOfDeciders(row: InterruptRow) {
  const { _id, resolution, decidedBy = [], userResponse } = row;
  const isSender = (one: StoredDecider) => one.userId === resolution?.by.userId;
  if (decidedBy.every(isSender)) return [];
  const decisions = new Map(decisionsIn(userResponse).map((one) => [one.id, one]));
  const keyOf = ({ userId, via }: StoredDecider) => `${userId ?? 'unknown'}:${via}`;
  return [...new Set(decidedBy.map(keyOf))].flatMap((who) => {
    const own = decidedBy.filter((one) => keyOf(one) === who);
    const [first] = own;
    if (!first) return [];
    return {
      key: `interrupt:${_id}:decided:${who}`,
      event: 'interrupt.rows-decided',
      userId: first.userId,
      surface: first.via,
      subject: `interrupt:${_id}`,
      shownDigest: row.shownDigest,
      outcome: `${own.length}:${digestOf(own.map(({ id }) => decisions.get(id)))}`,
      at: own.reduce((last, { at }) => (at > last ? at : last), first.at),
    };
  });
}

/** The audit row of a withdrawn question: who withdrew it, or that it expired. */
function auditOfWithdrawal({ _id, withdrawnBy = null, resolvedAt, shownDigest, outside }: InterruptRow) {
  const at = resolvedAt ?? new Date();
  return {
    key: `interrupt:${_id}:withdrawn`,
    event: 'interrupt.withdrawn',
    userId: withdrawnBy,
    // The surface on which the person withdrew it isn't known here.
    surface: 'server',
    subject: `interrupt:${_id}`,
    shownDigest,
    outcome: hasExpired({ outside }, at.getTime()) ? 'expired' : 'withdrawn',
    at,
  };
}

/** The side effects of an answer or a withdrawal; each is idempotent. */
const APPLY: Record<Consequence, (row: InterruptRow) => Promise<void>> = {
  async audit(row) {
    const { resolution } = row;
    if (row.status === 'cancelled') await auditTrail.append(row.accountId, auditOfWithdrawal(row));
    if (!resolution) return;
    for (const decided of auditOfDeciders(row)) await auditTrail.append(row.accountId, decided);
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
  webhook: deliverWebhook,
};

/** The run is resumed first: a person waits for it. */
const inOrder = (outbox: readonly Consequence[]) =>
  [...outbox].sort((a, b) => Number(b === 'resume') - Number(a === 'resume'));

/**
 * Applies the remaining side effects of an answer or a withdrawal and removes each from its outbox once done.
 * @throws the first failure, after all were attempted
 */
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

const RETRY_MS = 2000;

/** Applies the side effects of an answer or withdrawal that was just written; the sweeper retries those that fail. */
export async function applyOrLeave(row: InterruptRow): Promise<void> {
  await applyConsequences(row).catch((error: unknown) => {
    logger.error({ err: error, interrupt: row._id }, 'consequences are left to the sweeper');
    scheduleSweep('consequences', new Date(Date.now() + RETRY_MS));
  });
}

const readLeft = (status: 'resolved' | 'cancelled') =>
  dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status, outbox: { $in: [...CONSEQUENCES] } })
      .sort({ _id: 1 })
      .limit(200)
      .lean(),
  );

/**
 * Applies the side effects that a crash or a failure left.
 * @returns the number of questions found
 */
export async function sweepConsequences(): Promise<number> {
  const left = [...(await readLeft('resolved')), ...(await readLeft('cancelled'))];
  for (const row of left) {
    await runInAccount(row.accountId, () => applyOneByOne(row)).catch((error: unknown) =>
      logger.warn({ err: error, interrupt: row._id }, 'consequences failed again'),
    );
  }
  return left.length;
}

/** Resumes answered runs before the process serves anything that could cancel or supersede them. */
export async function resumeAnswered(): Promise<void> {
  for (const row of await readLeft('resolved'))
    if (row.outbox.includes('resume') && !row.begun)
      await runInAccount(row.accountId, () => APPLY.resume(row)).catch((error: unknown) =>
        logger.warn({ err: error, interrupt: row._id }, 'an answered run is left to the sweeper'),
      );
}

/**
 * Applies side effects one by one. Each attempt is counted before it starts, because one that ends the process leaves
 * no other trace; after too many crashes it is given up and the others continue.
 */
async function applyOneByOne(row: InterruptRow): Promise<void> {
  const { _id } = row;
  let begun = row.begun ?? 0;
  for (const consequence of inOrder(row.outbox)) {
    // The attempt made when it was answered counts too.
    if (begun + 1 >= LIMITS.crashes) {
      await setAside(row, consequence);
      begun = 0;
      continue;
    }
    const counted = await Interrupt.updateOne(
      { _id, outbox: consequence, begun: begun > 0 ? begun : { $in: [0, null] } },
      { $set: { begun: begun + 1 } },
    );
    // Another process is applying it.
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
  resume: 'the work did not continue with it',
  webhook: 'the program that asked was not told',
  deliveries: 'the question may still look open in some places',
};

async function setAside(row: InterruptRow, consequence: Consequence): Promise<void> {
  const { _id, accountId } = row;
  logger.error(
    { interrupt: _id, account: accountId, consequence },
    'consequence given up: it ended the process on every attempt',
  );
  const conversation = await conversationOf(row);
  if (conversation)
    await say(conversation, {
      key: `interrupt:${_id}:set-aside:${consequence}`,
      messageType: 'system',
      kind: 'text',
      text: `${row.status === 'cancelled' ? `Question ${_id} is withdrawn` : `Your answer to question ${_id} is kept`}, but ${LEFT_OUT[consequence]}: Arc stopped each time it tried. Please give support the question’s number.`,
    });
  await Interrupt.updateOne(
    { _id },
    { $pull: { outbox: consequence }, $addToSet: { setAside: consequence }, $set: { begun: 0 } },
  );
}
