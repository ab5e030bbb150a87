import { entity } from './store/entity.ts';

const Counter = entity<{ _id: string; seq: number }>({
  name: 'Counter',
  collection: 'counters',
  scope: 'system',
  fields: { _id: String, seq: { type: Number, default: 0 } },
});

/** Whether any id of this kind has been issued in this store. */
export const hasCounted = async (kind: 'user'): Promise<boolean> => (await Counter.exists({ _id: kind })) !== null;

/** The highest id issued for a kind; 0 where none was. */
export async function highestId(kind: 'account'): Promise<number> {
  const row = await Counter.findOne({ _id: kind }).lean();
  return row?.seq ?? 0;
}

/** The next id of a kind: 1, 2, 3 … across all accounts, never reused. Agents may use kinds of their own. */
export async function nextId(kind: string): Promise<number> {
  const row = await Counter.findOneAndUpdate(
    { _id: kind },
    { $inc: { seq: 1 } },
    { upsert: true, returnDocument: 'after' },
  ).lean();
  return (row as { seq: number }).seq;
}
