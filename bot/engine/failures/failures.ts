import { Types } from 'mongoose';
import { Account } from '../../../models/account.ts';
import type { Failure } from '../../../models/contracts/admin.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { CONSEQUENCES, type Consequence, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { deliveries } from '../delivery/outbox.ts';
import { consequences } from '../interrupts/applyConsequences.ts';

/** At most this many failures of each kind are shown, newest first. */
const MAX_SHOWN = 200;

/**
 * Deliveries and side effects of answers that were given up, without content.
 * For administrators: reads across accounts.
 * @param accountIds only those of these companies; of every company where absent
 */
export function readFailures(accountIds?: number[], most = MAX_SHOWN): Promise<{ failures: Failure[]; total: number }> {
  const ofThese = accountIds ? { accountId: { $in: accountIds } } : {};
  return dangerouslyRunInEveryAccount(async () => {
    const given = { ...ofThese, status: 'failed' as const };
    const [deliveries, failed, questions] = await Promise.all([
      Delivery.find(given).sort({ _id: -1 }).limit(most).lean(),
      Delivery.countDocuments(given),
      Interrupt.find({ ...ofThese, setAside: { $in: [...CONSEQUENCES] } })
        .sort({ _id: -1 })
        .limit(most)
        .lean(),
    ]);
    const ids = [...new Set([...deliveries, ...questions].map(({ accountId }) => accountId))];
    const accounts = await Account.find({ _id: { $in: ids } }, { name: 1 }).lean();
    const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
    const companyOf = ({ accountId }: { accountId: number }) => ({
      accountId,
      companyName: names.get(accountId) ?? '',
    });
    return {
      failures: [
        ...deliveries.map((row) => ({ ...companyOf(row), ...ofDelivery(row) })),
        ...questions.map((row) => ({ ...companyOf(row), ...ofAnswer(row) })),
      ].sort((one, other) => other.at.localeCompare(one.at)),
      total: failed + questions.length,
    };
  });
}

type Shown = Omit<Failure, 'accountId' | 'companyName'>;

const ofDelivery = (row: DeliveryRow): Shown => ({
  kind: 'delivery',
  id: String(row._id),
  what: whatOf(row),
  where: row.surface,
  attempts: row.attempts,
  reason: row.error ?? 'unknown',
  at: row._id.getTimestamp().toISOString(),
});

function whatOf({ mail, webhook, task, messageId, interruptId }: DeliveryRow): string {
  if (mail) return `Mail: ${mail.name}`;
  if (webhook) return `Webhook of question ${webhook.interruptId}`;
  if (task) return 'Task in a channel';
  return messageId ? 'Message' : `Question ${interruptId}`;
}

const EFFECTS: Record<Consequence, string> = {
  audit: 'its entry in the audit',
  resume: 'continuing the work',
  deliveries: 'showing the outcome everywhere',
  webhook: 'the webhook of the program that asked',
};

const ofAnswer = ({ _id, setAside = [], attempts, error, resolvedAt, createdAt }: InterruptRow): Shown => ({
  kind: 'answer',
  id: String(_id),
  what: `Answer to question ${_id}: ${setAside.map((one) => EFFECTS[one]).join(', ')}`,
  where: 'server',
  attempts: attempts ?? 0,
  reason: error ?? 'Arc stopped on every attempt.',
  at: (resolvedAt ?? createdAt).toISOString(),
});

/**
 * Retries a failure, and records that in its company's audit.
 * @throws AppError not_found if it never failed or is already being retried
 */
export async function retryFailure(by: { userId: number }, { kind, id }: Pick<Failure, 'kind' | 'id'>): Promise<void> {
  if (kind === 'delivery') return retryDelivery(by, id);
  const { _id, accountId, setAside, outbox } = await requireSetAside(id);
  await runInAccount(accountId, async () => {
    await record(by, 'failure.retried', accountId, `interrupt:${_id}`, setAside.join(' '));
    const again = { setAside: [], outbox: [...new Set([...outbox, ...setAside])] };
    if (!(await consequences.reopen({ _id, setAside, outbox }, again))) throw new AppError('not_found');
  });
}

/**
 * Takes a failure off the list without trying it again, and records that in its company's audit.
 * @throws AppError not_found if it never failed or is being retried
 */
export async function dropFailure(by: { userId: number }, { kind, id }: Pick<Failure, 'kind' | 'id'>): Promise<void> {
  if (kind === 'delivery') {
    const { _id, accountId, surface } = await requireFailedDelivery(id);
    await runInAccount(accountId, async () => {
      await record(by, 'failure.dropped', accountId, `delivery:${_id}`, surface);
      if (!(await deliveries.drop({ _id }))) throw new AppError('not_found');
    });
    return;
  }
  const { _id, accountId, setAside } = await requireSetAside(id);
  await runInAccount(accountId, async () => {
    await record(by, 'failure.dropped', accountId, `interrupt:${_id}`, setAside.join(' '));
    if (!(await consequences.drop({ _id, setAside }))) throw new AppError('not_found');
  });
}

/** A question with side effects that were given up. @throws AppError not_found */
async function requireSetAside(id: string): Promise<InterruptRow & { setAside: Consequence[] }> {
  const number = Number(id);
  const row = Number.isInteger(number)
    ? await dangerouslyRunInEveryAccount(() =>
        Interrupt.findOne({ _id: number, setAside: { $in: [...CONSEQUENCES] } }).lean(),
      )
    : null;
  if (!row?.setAside) throw new AppError('not_found');
  return { ...row, setAside: row.setAside };
}

/** A delivery that was given up. @throws AppError not_found */
async function requireFailedDelivery(id: string): Promise<DeliveryRow> {
  const row = Types.ObjectId.isValid(id)
    ? await dangerouslyRunInEveryAccount(() => Delivery.findOne({ _id: id, status: 'failed' }).lean())
    : null;
  if (!row) throw new AppError('not_found');
  return row;
}

async function retryDelivery(by: { userId: number }, id: string): Promise<void> {
  const row = await requireFailedDelivery(id);
  const { _id, accountId, interruptId, mail } = row;
  await runInAccount(accountId, async () => {
    const question = interruptId === null ? null : await Interrupt.findOne({ _id: interruptId }, { status: 1 }).lean();
    // A question that was answered meanwhile is redrawn with its outcome where it was shown, and sent nowhere else.
    const over = row.reference ? 'closing' : 'closed';
    const status = question && question.status !== 'pending' ? over : 'due';
    await record(by, 'failure.retried', accountId, `delivery:${_id}`, row.surface);
    // The mail server may accept the address again.
    if (mail) await User.updateOne({ _id: mail.userId }, { $set: { mailRefusedAt: null } });
    if (!(await deliveries.reopen({ _id }, { status }))) throw new AppError('not_found');
  });
}

const record = (
  { userId }: { userId: number },
  event: 'failure.retried' | 'failure.dropped',
  accountId: number,
  subject: string,
  outcome: string,
) => recordEvent(accountId, event, { userId, subject, outcome });
