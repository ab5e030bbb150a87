import { sealChain } from '../../../bot/engine/audit/verifyAudit.ts';
import { AuditHead } from '../../../models/auditHead.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';

/**
 * Makes every account's audit chain independent of retired keys.
 * @returns how many were sealed and needed nothing, and a sentence for each that can't be sealed
 */
export async function sealChains(): Promise<{ sealed: number; current: number; faults: string[] }> {
  const heads = await dangerouslyRunInEveryAccount(() =>
    AuditHead.find({}, { accountId: 1 }).sort({ accountId: 1 }).lean(),
  );
  const ended = { sealed: 0, current: 0, faults: [] as string[] };
  for (const { accountId } of heads) {
    const outcome = await runInAccount(accountId, () => sealChain(accountId));
    if (typeof outcome === 'string') ended[outcome] += 1;
    else ended.faults.push(`account ${accountId}: ${outcome.reason}`);
  }
  return ended;
}
