import { accountFilter } from './context.ts';
import { type Holds, schemaVersionOf } from './entity.ts';

/**
 * Inserts rows that are whole and typed already, without hydrating documents: for the paths that every message takes.
 * The account is checked here as the tenant plugin would.
 * @throws MongoServerError 11000 where a unique index holds the key
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

/** {@link insertRows} of one. */
export function insertRow<Row extends { accountId: number }>(model: Holds<Row>, row: NoInfer<Row>): Promise<void> {
  return insertRows(model, [row]);
}
