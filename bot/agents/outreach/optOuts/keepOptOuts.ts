import { OptOut as OptOutEntity } from '../../../../models/outreach/optOut.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import type { OptOut } from './address.ts';

/** The opt-outs of a company. */
export const readOptOuts = async (accountId: number): Promise<OptOut[]> =>
  (await OptOutEntity.find({ accountId }).lean()).map(({ kind, value }) => ({ kind, value }));

export const countOptOuts = (accountId: number): Promise<number> => OptOutEntity.countDocuments({ accountId });

/** Keeps opt-outs for good, each once: a later list without them still honours them. */
export async function keepOptOuts(accountId: number, optOuts: readonly OptOut[]): Promise<void> {
  const known = new Set((await readOptOuts(accountId)).map(({ kind, value }) => `${kind} ${value}`));
  const added = optOuts.filter(({ kind, value }) => !known.has(`${kind} ${value}`));
  if (added.length === 0) return;
  await changing(accountId, ['workspaces'], async () => {
    for (const { kind, value } of added)
      await onceByKey(() => OptOutEntity.create({ accountId, kind, value, createdAt: new Date() } as never));
  });
}
