import { Account } from '../../../models/account.ts';
import type { Failure } from '../../../models/contracts/admin.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { DEAD_LETTERS } from './deadLetters.ts';

/** At most this many failures of each kind are shown, newest first. */
const MAX_SHOWN = 200;

type Kind = Failure['kind'];

/**
 * Work that was given up, without content. For administrators: reads across accounts.
 * @param accountIds only that of these companies; of every company where absent
 */
export function readFailures(accountIds?: number[], most = MAX_SHOWN): Promise<{ failures: Failure[]; total: number }> {
  const ofThese = accountIds ? { accountId: { $in: accountIds } } : {};
  return dangerouslyRunInEveryAccount(async () => {
    const kinds = Object.keys(DEAD_LETTERS) as Kind[];
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const { rows, dead, show } = DEAD_LETTERS[kind];
        const where = { ...ofThese, ...dead };
        const [newest, total] = await Promise.all([
          rows.find(where).sort({ _id: -1 }).limit(most).lean(),
          rows.countDocuments(where as never),
        ]);
        return { total, shown: newest.map((row) => ({ kind, accountId: row.accountId, ...show(row) })) };
      }),
    );
    const shown = found.flatMap((it) => it.shown);
    const ids = [...new Set(shown.map(({ accountId }) => accountId))];
    const accounts = await Account.find({ _id: { $in: ids } }, { name: 1 }).lean();
    const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
    return {
      failures: shown
        .map((one) => ({ ...one, companyName: names.get(one.accountId) ?? '' }))
        .sort((one, other) => other.at.localeCompare(one.at)),
      total: found.reduce((sum, { total }) => sum + total, 0),
    };
  });
}

/** Finds a failure, records what is done with it in its company's audit, and does it. @throws AppError not_found */
async function treat(
  by: { userId: number },
  { kind, id }: Pick<Failure, 'kind' | 'id'>,
  event: 'failure.retried' | 'failure.dropped',
): Promise<void> {
  const letters = DEAD_LETTERS[kind];
  const _id = letters.idOf(id);
  const row =
    _id === null
      ? null
      : await dangerouslyRunInEveryAccount(() => letters.rows.findOne({ ...letters.dead, _id }).lean());
  if (!row) throw new AppError('not_found');
  const { accountId } = row;
  await runInAccount(accountId, async () => {
    await recordEvent(accountId, event, { userId: by.userId, ...letters.audit(row) });
    const isDone = event === 'failure.retried' ? await letters.retry(row) : await letters.drop(row);
    if (!isDone) throw new AppError('not_found');
  });
}

/**
 * Retries a failure, and records that in its company's audit.
 * @throws AppError not_found if it never failed or is already being retried
 */
export const retryFailure = (by: { userId: number }, failure: Pick<Failure, 'kind' | 'id'>): Promise<void> =>
  treat(by, failure, 'failure.retried');

/**
 * Takes a failure off the list without trying it again, and records that in its company's audit.
 * @throws AppError not_found if it never failed or is being retried
 */
export const dropFailure = (by: { userId: number }, failure: Pick<Failure, 'kind' | 'id'>): Promise<void> =>
  treat(by, failure, 'failure.dropped');
