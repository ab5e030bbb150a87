import { auditTrail } from '../../../models/auditEvent.ts';
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
import { defineWork } from '../../../models/store/work.ts';
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

/** Side effects of answers and withdrawals as work; the first attempt is made by the process that wrote them. */
export const consequences = defineWork<InterruptRow>({
  name: 'consequences',
  rows: Interrupt,
  open: { status: { $in: ['resolved', 'cancelled'] }, outbox: { $in: [...CONSEQUENCES] } },
  asRead: ({ status }) => ({ status }),
  dead: { setAside: { $in: [...CONSEQUENCES] } },
  giveUp: ({ outbox, setAside = [] }) => ({ outbox: [], setAside: [...new Set([...setAside, ...outbox])] }),
  dropped: { setAside: [] },
  // Rows that the release before has answered have no time.
  due: (now) => ({ dueAt: { $not: { $gt: now } } }),
  lanes: [{ status: 'resolved' }, { status: 'cancelled' }],
  leaseMs: 30_000,
  retry: { attempts: 12, firstWait: 2000, longestWait: 600_000, jitter: 0.25 },
  atOnce: 8,
  groupOf: () => null,
});

/** The change that ends the work on a row with nothing left in its outbox; the error of what was given up stays. */
const over = ({ setAside = [], error = null }: InterruptRow) => ({
  outbox: [],
  error: setAside.length > 0 ? error : null,
});

/** Notes what could not be applied: it is retried, or given up after the policy. */
async function noteFailure(row: InterruptRow, error: unknown): Promise<void> {
  logger.warn({ err: error, interrupt: row._id, left: row.outbox }, 'side effects failed');
  await consequences.fail(row, error, {
    async beforeGivenUp() {
      for (const consequence of row.outbox) await tellGivenUp(row, consequence, 'it failed each time it tried');
    },
  });
}

/**
 * Applies the remaining side effects of an answer or a withdrawal, all at once, under the claim with which they were
 * written. Those that fail are retried by the sweep.
 */
export async function applyConsequences(row: InterruptRow): Promise<void> {
  await runInAccount(row.accountId, () =>
    consequences.hold(row, async () => {
      const done = await Promise.allSettled(row.outbox.map((consequence) => APPLY[consequence](row)));
      const failed = done.find((it) => it.status === 'rejected');
      if (!failed) return consequences.complete(row, over(row));
      const outbox = row.outbox.filter((_, at) => done[at]?.status === 'rejected');
      await consequences.keep(row, { outbox });
      return noteFailure({ ...row, outbox }, failed.reason);
    }),
  );
}

/** Applies the side effects of an answer or withdrawal that was just written; the sweep retries those that fail. */
export async function applyOrLeave(row: InterruptRow): Promise<void> {
  if (!consequences.noteClaim(row)) return;
  await applyConsequences(row).catch((error: unknown) =>
    logger.error({ err: error, interrupt: row._id }, 'side effects are left to the sweep'),
  );
}

/**
 * Applies the side effects that a crash or a failure left.
 * @returns the number of questions claimed
 */
export const sweepConsequences = (): Promise<number> =>
  consequences.sweep({ handle: applyOneByOne, setAsidePart: setAsideFirst });

/** Resumes answered runs before the process serves anything that could cancel or supersede them. */
export async function resumeAnswered(): Promise<void> {
  const left = await dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status: 'resolved', outbox: 'resume' }).sort({ _id: 1 }).limit(200).lean(),
  );
  for (const row of left)
    if (!row.begun)
      await runInAccount(row.accountId, () => APPLY.resume(row)).catch((error: unknown) =>
        logger.warn({ err: error, interrupt: row._id }, 'an answered run is left to the sweep'),
      );
}

/** Resuming the run first, because a person waits for it. */
const inOrder = (outbox: readonly Consequence[]) => CONSEQUENCES.filter((it) => outbox.includes(it));

/**
 * Applies the side effects of a claimed row one by one, because one may end the process: the claim counts the start of
 * the first, and each write in between the start of the next. A failed one does not keep the others from being applied.
 */
async function applyOneByOne(row: InterruptRow): Promise<void> {
  await consequences.hold(row, async () => {
    const queue = inOrder(row.outbox);
    const failed: Consequence[] = [];
    let reason: unknown;
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await APPLY[next](row);
      } catch (error) {
        failed.push(next);
        reason = error;
      }
      if (queue.length > 0) await consequences.keep(row, { outbox: [...failed, ...queue], begun: 1 });
    }
    if (failed.length === 0) return consequences.complete(row, over(row));
    await consequences.keep(row, { outbox: failed });
    return noteFailure({ ...row, outbox: failed }, reason);
  });
}

const LEFT_OUT: Record<Consequence, string> = {
  audit: 'the entry in the audit trail is missing',
  resume: 'the work did not continue with it',
  webhook: 'the program that asked was not told',
  deliveries: 'the question may still look open in some places',
};

/** Gives up the first side effect of a claimed row, which ended the process on every attempt, and applies the others. */
async function setAsideFirst(row: InterruptRow): Promise<void> {
  const [first, ...outbox] = inOrder(row.outbox);
  if (!first) return consequences.letGo(row);
  // Before it is marked: after a crash in between it is told again, once by its key, rather than never.
  await tellGivenUp(row, first, 'Arc stopped each time it tried');
  const change = {
    outbox,
    setAside: [...new Set([...(row.setAside ?? []), first])],
    error: row.error ?? null,
    begun: 1,
  };
  await consequences.keep(row, change);
  await applyOneByOne({ ...row, ...change });
}

async function tellGivenUp(row: InterruptRow, consequence: Consequence, why: string): Promise<void> {
  const { _id, accountId } = row;
  logger.error({ interrupt: _id, account: accountId, consequence }, `side effect given up: ${why}`);
  const conversation = await conversationOf(row);
  if (!conversation) return;
  await say(conversation, {
    key: `interrupt:${_id}:set-aside:${consequence}`,
    messageType: 'system',
    kind: 'text',
    text: `${row.status === 'cancelled' ? `Question ${_id} is withdrawn` : `Your answer to question ${_id} is kept`}, but ${LEFT_OUT[consequence]}: ${why}. Please give support the question’s number.`,
  });
}
