import { ModelDraft, type ModelDraftRow } from '../../../../models/clinical_safety/modelDraft.ts';

/** Keeps what a model drafted in one call; a retry writes the same. */
export async function keepDrafts(
  accountId: number,
  { key, model, drafts, dropped }: Pick<ModelDraftRow, 'key' | 'model' | 'drafts' | 'dropped'>,
): Promise<void> {
  await ModelDraft.updateOne(
    { accountId, key, model },
    { $set: { drafts, dropped, at: new Date() } },
    { upsert: true },
  );
}

/** The answers of these models that an account has, by digest; of several models, the answer of the one named first. */
export async function findDrafts(
  accountId: number,
  models: readonly string[],
  keys: readonly string[],
): Promise<Map<string, ModelDraftRow>> {
  const rows = await ModelDraft.find({ accountId, key: { $in: [...keys] }, model: { $in: [...models] } }).lean();
  rows.sort((a, b) => models.indexOf(b.model) - models.indexOf(a.model));
  return new Map(rows.map((row) => [row.key, row]));
}
