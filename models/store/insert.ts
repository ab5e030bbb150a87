import { accountFilter } from './context.ts';
import { type Holds, schemaVersionOf } from './entity.ts';

/**
 * Inserts complete, typed rows without creating mongoose documents, for the code paths that every message takes. Checks
 * the account as the tenant plugin would.
 * @throws MongoServerError 11000 on a duplicate key
 */
export async function insertRows<Row extends { accountId: number }>(
  model: Holds<Row>,
  rows: readonly NoInfer<Row>[],
): Promise<void> {
  const { accountId } = accountFilter();
  if (accountId !== undefined && rows.some((row) => row.accountId !== accountId)) {
    throw new Error('A document of another account was inserted.');
  }
  const schemaVersion = schemaVersionOf(model.collection.collectionName);
  const documents = rows.map((row) => ({ ...row, schemaVersion })) as never[];
  if (documents.length === 1) await model.collection.insertOne(documents[0] as never);
  else await model.collection.insertMany(documents, { ordered: true });
}

/** {@link insertRows} with one row. */
export function insertRow<Row extends { accountId: number }>(model: Holds<Row>, row: NoInfer<Row>): Promise<void> {
  return insertRows(model, [row]);
}
