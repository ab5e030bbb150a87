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

/** Operations that replace a whole document: the replacement must name its account. */
const REPLACING = new Set(['replaceOne', 'findOneAndReplace']);

/**
 * The filter keeps an update to the account's own rows, but the written values could still name another account (in an
 * upsert or a replacement).
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
 * Mongoose plugin: scopes every query on customer rows to the current account and refuses writes to other accounts.
 * Aggregations, estimated counts and bulk writes can't be scoped and are refused.
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
