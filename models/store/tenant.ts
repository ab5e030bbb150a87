import type { Query, Schema } from 'mongoose';
import { accountFilter } from './context.ts';

const SCOPED = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
] as const;

/** What puts a whole document in a row's place: it has to say whose it is. */
const REPLACING = new Set(['replaceOne', 'findOneAndReplace']);

/**
 * A filter keeps a change from other accounts' rows; what it writes could still name another account: an upsert's own
 * part, or what replaces a row.
 * @throws where a change would write a row into another account, or into none
 */
function requireOwnChange(query: Query<unknown, unknown>, accountId: number): void {
  const change = query.getUpdate() as Record<string, unknown> | unknown[] | null | undefined;
  if (!change) return;
  if (Array.isArray(change) || '$rename' in change) {
    throw new Error('Pipelines and renames on customer data are not scoped: read and write in code.');
  }
  const parts = [change, ...Object.entries(change).flatMap(([name, part]) => (name.startsWith('$') ? [part] : []))];
  const named = parts.flatMap((part) =>
    typeof part === 'object' && part !== null && 'accountId' in part ? [part.accountId] : [],
  );
  const replaces = REPLACING.has((query as unknown as { op: string }).op);
  if (named.some((it) => it !== accountId) || (replaces && change.accountId !== accountId)) {
    throw new Error('A change named another account.');
  }
}

/**
 * Mongoose plugin: scopes every query of a customer's documents to the account of the work at hand, and refuses to
 * write a document into another one. Aggregations, unscoped counts and bulk writes are refused outright.
 */
export function scopeToAccount(schema: Schema): void {
  schema.add({ accountId: { type: Number, required: true, immutable: true } });

  schema.pre([...SCOPED], function scope(this: Query<unknown, unknown>) {
    const filter = accountFilter();
    if (filter.accountId === undefined) return;
    const asked = this.getFilter().accountId;
    if (asked !== undefined && asked !== filter.accountId) throw new Error('A query named another account.');
    requireOwnChange(this, filter.accountId);
    this.where(filter);
  });
  schema.pre('save', function check() {
    const { accountId } = accountFilter();
    if (accountId !== undefined && this.get('accountId') !== accountId) {
      throw new Error('A document of another account was saved.');
    }
  });
  schema.pre('insertMany', function check(documents: unknown) {
    const { accountId } = accountFilter();
    const all = (Array.isArray(documents) ? documents : [documents]) as { accountId: number }[];
    if (accountId !== undefined && all.some((it) => it.accountId !== accountId)) {
      throw new Error('A document of another account was inserted.');
    }
  });
  schema.pre('aggregate', () => {
    throw new Error('Aggregations on customer data are not scoped: read and count in code.');
  });
  schema.pre('estimatedDocumentCount', () => {
    throw new Error('Counts over all accounts are not scoped: use countDocuments.');
  });
  schema.pre('bulkWrite', () => {
    throw new Error('Bulk writes on customer data are not scoped: use updateMany, deleteMany or insertMany.');
  });
}
